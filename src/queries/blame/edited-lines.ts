import type { Session } from "../../core/session/session.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";

/** Lines that one tool call wrote, as they were right after the call. */
export interface EditedFile {
  path: string;
  callId: string;
  model?: string;
  /** `mixed`: the person changed the model's proposal. */
  by: "model" | "mixed";
  /** `unknown` if the record has no line numbers; none are guessed. */
  ranges: LineRange[] | "unknown";
}

interface LineRange {
  /** Starts at 1; both ends are inclusive. */
  startLine: number;
  endLine: number;
  /** The text of the lines, with line endings. */
  text: string;
}

/** All successful edits, in order. Rewound messages are included: their edits changed the file. */
export function editedFilesOf(session: Session): EditedFile[] {
  return session.messages
    .filter((message) => message.copyOf === undefined)
    .flatMap((message) =>
      message.toolCalls.flatMap((call): EditedFile[] => {
        const file = call.files?.find(({ how }) => how !== "read");
        if (!file || call.outcome !== "success") return [];
        const { model } = message;
        return [
          {
            path: file.path,
            callId: call.id,
            ...(model === undefined ? {} : { model }),
            by: isChangedByPerson(call) ? "mixed" : "model",
            ranges: rangesOf(call, file.how),
          },
        ];
      }),
    );
}

export function isChangedByPerson({ display }: ToolCall): boolean {
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
function addedRanges(diff: string): LineRange[] {
  const ranges: LineRange[] = [];
  let line: number | undefined;
  let open: LineRange | undefined;
  for (const text of diff.split("\n")) {
    const hunk = HUNK.exec(text);
    if (hunk) {
      line = Number(hunk[1]) - 1;
      open = undefined;
    }
    // Lines before the first hunk are file names; removed lines have no number in the new file.
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
