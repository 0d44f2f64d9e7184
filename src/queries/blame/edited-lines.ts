import type { Session } from "../../core/session.ts";
import type { ToolCall } from "../../core/tool-call.ts";

/** Lines that one tool call wrote into a file, as they stood right after it. */
export interface EditedFile {
  path: string;
  messageId: string;
  callId: string;
  model?: string;
  at?: string;
  /** `mixed`: the person changed what the model proposed. */
  by: "model" | "mixed";
  /** `unknown` when the record does not tell which lines: nothing is invented. */
  ranges: LineRange[] | "unknown";
}

export interface LineRange {
  /** Counted from 1, both within. */
  startLine: number;
  endLine: number;
  /** The lines themselves, with their line ends. */
  text: string;
}

/** Every edit that succeeded, in order; what was taken back changed files, too. */
export function editedFilesOf(session: Session): EditedFile[] {
  return session.messages
    .filter((message) => message.copyOf === undefined)
    .flatMap((message) =>
      message.toolCalls.flatMap((call): EditedFile[] => {
        const file = call.files?.find(({ how }) => how !== "read");
        if (!file || call.outcome !== "success") return [];
        const { model } = message;
        const at = call.at ?? message.at;
        return [
          {
            path: file.path,
            messageId: message.id,
            callId: call.id,
            ...(model === undefined ? {} : { model }),
            ...(at === undefined ? {} : { at }),
            by: isChangedByPerson(call) ? "mixed" : "model",
            ranges: rangesOf(call, file.how),
          },
        ];
      }),
    );
}

function isChangedByPerson({ display }: ToolCall): boolean {
  if (display?.kind !== "diff" || !display.stat) return false;
  const { addedLines, removedLines } = display.stat.byUser;
  return addedLines + removedLines > 0;
}

function rangesOf(call: ToolCall, how: "read" | "written" | "edited"): EditedFile["ranges"] {
  if (call.display?.kind === "diff") return addedRanges(call.display.diff);
  const content = (call.args as { content?: unknown } | null)?.content;
  if (how !== "written" || typeof content !== "string") return "unknown";
  const endLine = content.replace(/\n$/, "").split("\n").length;
  return content === "" ? [] : [{ startLine: 1, endLine, text: content }];
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * Runs of added lines of a unified diff, by their number in the new file:
 *
 *     @@ -1,2 +1,3 @@
 *      kept
 *     +added
 */
export function addedRanges(diff: string): LineRange[] {
  const ranges: LineRange[] = [];
  let line: number | undefined;
  let open: LineRange | undefined;
  for (const text of diff.split("\n")) {
    const hunk = HUNK.exec(text);
    if (hunk) {
      line = Number(hunk[1]) - 1;
      open = undefined;
    }
    // What stands before the first hunk are names; what was removed has no number any more.
    if (hunk || line === undefined || !/^[ +]/.test(text)) continue;
    line += 1;
    if (!text.startsWith("+")) {
      open = undefined;
      continue;
    }
    if (!open) ranges.push((open = { startLine: line, endLine: line, text: "" }));
    open.endLine = line;
    open.text += `${text.slice(1)}\n`;
  }
  return ranges;
}
