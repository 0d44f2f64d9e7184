/** A message of a session file, as written by versions from 0.44 on. */
export interface Turn {
  role: "user" | "gemini";
  words: string;
  id: string;
  /** The id under which the file lists it now. */
  fileId: string;
  at: string;
  call?: string;
  /** The call that a tool response answers. */
  answers?: string;
  tokens?: object;
  isCopied?: boolean;
  /** The summary of a compression. */
  isSummary?: boolean;
  /** Listed in one message with the start context. */
  isAfterContext?: boolean;
}

export type Group = [Turn, ...Turn[]];

/** Turns that the file lists as one message. */
export function groups(turns: readonly Turn[]): Group[] {
  const all: Group[] = [];
  for (const turn of turns) {
    const last = all.at(-1);
    if (last?.[0].fileId === turn.fileId) last.push(turn);
    else all.push([turn]);
  }
  return all;
}

export function isPrompt({ role, answers, isSummary }: Turn): boolean {
  return role === "user" && answers === undefined && isSummary !== true;
}

export const SESSION = "5e551007-0000-4000-8000-000000000007";
export const OUTPUT = "a long output";
export const SUMMARY = "<state_snapshot>What happened so far.</state_snapshot>";
export const GOT_IT = "Got it. Thanks for the additional context!";

const CONTEXT = "<session_context>\nThis is the Gemini CLI.\n</session_context>";

export function context(): object {
  const head = { id: "d04923d38bb0f6017037e74183378ef4", timestamp: "2026-05-04T00:00:00.000Z" };
  return { ...head, type: "user", content: [{ text: CONTEXT }] };
}

export function paidBy({ tokens }: Turn): object {
  return { tokens: tokens ?? null, model: "gemini-2.5-pro" };
}

/** The record of turns that a snapshot lists by their id. */
export function listed(group: Group): object {
  const [turn] = group;
  const { fileId: id, at: timestamp, role: type } = turn;
  const record = { id, timestamp, type, content: contentOf(group) };
  if (type === "user" || turn.isCopied === true) return record;
  const calls = turn.call === undefined ? {} : { toolCalls: [recordedCall(turn.call)] };
  return { ...record, ...paidBy(turn), ...calls };
}

export function contentOf(group: Group, output: string = OUTPUT): object[] {
  const before = group[0].isAfterContext === true ? [{ text: CONTEXT }] : [];
  return [...before, ...group.flatMap((turn) => partsOf(turn, output))];
}

export function partsOf(turn: Turn, output: string = OUTPUT): object[] {
  if (turn.answers !== undefined) return [responsePart(turn.answers, output)];
  const words = turn.words === "" ? [] : [{ text: turn.words }];
  if (turn.call === undefined) return words;
  return [...words, { functionCall: { id: turn.call, name: "read_file", args: {} } }];
}

function responsePart(id: string, output: string): object {
  return { functionResponse: { id, name: "read_file", response: { output } } };
}

export function recordedCall(id: string): object {
  const result = [responsePart(id, OUTPUT)];
  const time = "2026-05-04T00:00:00.000Z";
  return { id, name: "read_file", args: {}, result, status: "success", timestamp: time };
}

export function firstPromptFrom(turns: readonly Turn[], from: number): number {
  return turns.findIndex((turn, index) => {
    return index >= from && isPrompt(turn) && turn.fileId !== turns[index - 1]?.fileId;
  });
}
