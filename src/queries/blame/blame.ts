import { isOriginal } from "../../core/session/message.ts";
import type { EditedPart, FileEdit } from "../../core/session/file-edit.ts";
import { groupBy } from "../../core/group.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";
import { matchesPath, absolutePath } from "../../core/rows/touched-file.ts";
import { turnsOf } from "../../core/session/turn.ts";
import { BlamedFile } from "./blame-file.ts";
import { isChangedByPerson } from "./edited-lines.ts";
import type { LeadingPrompt } from "../search/uses.ts";
import { ledBy } from "../search/uses.ts";

/** Which edit wrote each line of the current file. */
export interface BlameAnswer {
  path: string;
  /** `record`: the file cannot be read; this is what its last recorded edit left. */
  textFrom: "disk" | "record";
  lines: BlamedLine[];
  /** Edits that lines come from, latest first; lines refer to them by index. */
  edits: BlamedEdit[];
  /** Number of lines with and without a recorded edit. */
  explained: number;
  unknown: number;
  /** Number of recorded edits of this file that were examined. */
  editsLookedAt: number;
}

interface BlamedLine {
  /** Starts at 1. */
  number: number;
  text: string;
  /** `null`: not written by an agent, or the record is missing. */
  edit: number | null;
}

export interface BlamedEdit {
  session: Pick<SessionSummary, "id" | "source" | "title" | "project">;
  messageId: string;
  callId: string;
  tool: string;
  at: string | null;
  model: string | null;
  /** `mixed`: a person changed the model's proposal. */
  by: "model" | "mixed";
  prompt: LeadingPrompt | null;
  lines: number;
}

/** A session, with the function that reads edits from its tool calls. */
export interface BlamedSession {
  summary: SessionSummary;
  session: Session;
  editsOf: (call: ToolCall) => FileEdit[];
}

type Found = Omit<BlamedEdit, "lines"> & {
  path: string;
  parts: readonly EditedPart[];
  order: number;
};

export interface BlameAsked {
  path: string;
  recordedAs: readonly string[];
  /** Absent when the file cannot be read. */
  text?: string;
}

/** Undefined if there is no text on disk and none can be reconstructed for a single file. */
export function blame(
  { path, recordedAs, text }: BlameAsked,
  sessions: readonly BlamedSession[],
): BlameAnswer | undefined {
  const found = onlyOnce(sessions.flatMap((session) => editsIn(session, recordedAs)));
  if (text !== undefined) return blameText({ path, text, textFrom: "disk" }, found);
  const [recorded, ...others] = new Set(found.map((edit) => edit.path));
  const inOrder = found.toSorted(byLatest).toReversed();
  const left = recordedText(inOrder.flatMap(({ parts }) => parts));
  if (recorded === undefined || others.length > 0 || !left) return undefined;
  return blameText({ path: recorded, text: left, textFrom: "record" }, found);
}

function blameText(
  { path, text, textFrom }: Pick<BlameAnswer, "path" | "textFrom"> & { text: string },
  found: readonly Found[],
): BlameAnswer {
  const file = new BlamedFile<Found>(text);
  for (const edit of found.toSorted(byLatest)) file.takeBack(edit.parts, edit);
  const owners = file.owners();
  const written = groupBy(
    owners.flatMap((owner) => (owner ? [owner] : [])),
    (owner) => owner,
  );
  const edits = [...written.keys()].toSorted(byLatest);
  const numbers = new Map(edits.map((edit, at) => [edit, at]));
  const texts = text.replace(/\r?\n$/, "").split(/\r?\n/);
  return {
    path,
    textFrom,
    lines: owners.map((owner, at) => {
      return { number: at + 1, text: texts[at] ?? "", edit: (owner && numbers.get(owner)) ?? null };
    }),
    edits: edits
      .map(({ path: _file, parts: _changed, order: _place, ...edit }) => edit)
      .map((edit, at) => {
        return { ...edit, lines: written.get(edits[at] as Found)?.length ?? 0 };
      }),
    explained: owners.filter((owner) => owner !== undefined).length,
    unknown: owners.filter((owner) => owner === undefined).length,
    editsLookedAt: found.length,
  };
}

/**
 * All edits of the file in a session. Rewound messages are included: their edits changed the file.
 */
function editsIn(
  { summary, session, editsOf }: BlamedSession,
  recordedAs: readonly string[],
): Found[] {
  const { id, source, title, project } = summary;
  const directory = session.project.path ?? null;
  const isMeant = ({ path }: FileEdit): boolean =>
    recordedAs.some((name) => matchesPath(absolutePath(path, directory), name));
  let order = 0;
  return turnsOf(session.messages).flatMap((turn) => {
    const prompt = ledBy(turn);
    return turn.messages.filter(isOriginal).flatMap((message) =>
      message.toolCalls.flatMap((call): Found[] => {
        const [first, ...more] = editsOf(call).filter(isMeant);
        const parts = [first, ...more].flatMap((edit) => edit?.parts ?? []);
        if (!first || parts.length === 0) return [];
        order += 1;
        return [
          {
            path: absolutePath(first.path, directory),
            session: { id, source, title, project },
            messageId: message.id,
            callId: call.id,
            tool: call.label,
            at: call.at ?? message.at ?? session.startedAt ?? null,
            model: message.model ?? null,
            by: isChangedByPerson(call) ? "mixed" : "model",
            prompt,
            parts,
            order,
          },
        ];
      }),
    );
  });
}

/** Drops the calls that a fork repeats from its original session. */
function onlyOnce(edits: readonly Found[]): Found[] {
  const calls = groupBy(edits, (edit) => {
    return JSON.stringify([edit.session.source, edit.messageId, edit.callId]);
  });
  return [...calls.values()].flatMap((copies) => copies.slice(0, 1));
}

/** Edits without a time are the oldest; equal times keep the order of their session. */
function byLatest(a: Found, b: Found): number {
  return (Date.parse(b.at ?? "") || 0) - (Date.parse(a.at ?? "") || 0) || b.order - a.order;
}

/**
 * Reconstructs a file as it was after its last recorded edit. Undefined if that is impossible: the
 * edits must begin with a whole text, and each later one must apply.
 */
export function recordedText(parts: readonly EditedPart[]): string | undefined {
  let text: string | undefined;
  for (const part of parts) text = edited(text, part);
  return text;
}

function edited(
  text: string | undefined,
  { extent, before = "", after, times = 1 }: EditedPart,
): string | undefined {
  if (extent === "whole") return plain(after);
  if (text === undefined || before === "") return undefined;
  // The last line may have no line feed; the lines of a hunk have one.
  const pieces = `${text.replace(/\n$/, "")}\n`.split(plain(before));
  const found = pieces.length - 1;
  return (times === "all" ? found > 0 : found === times) ? pieces.join(plain(after)) : undefined;
}

/** Normalises line ends to one character. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
