import type { SessionWork, SessionWorkRow, WorkReply } from "../core/rows/session-work.ts";

type Field<Name extends keyof WorkReply> = WorkReply[Name];

/** A reply as engines return it: one JSON list, because there may be very many. */
type ReplyList = [
  position: number,
  messageId: string,
  atMs: number | null,
  model: string | null,
  standing: Field<"standing">,
  purpose: Field<"purpose">,
  tier: string | null,
  input: number,
  fresh: number,
  cached: number | null,
  cacheWrite5m: number | null,
  cacheWrite1h: number | null,
  output: number,
  thoughts: number | null,
  tool: number | null,
  total: number,
  webSearches: number | null,
];

/** A session's work, with the same columns in every engine. */
export interface WorkRow {
  source: string;
  id: string;
  project_path: string | null;
  started_ms: number | null;
  work: string | null;
  /** A JSON list of `ReplyList`; `null` if there is none. */
  replies: string | null;
}

/** Replies are in the order of their positions. */
export function workFrom(
  row: WorkRow,
  textOf: (stored: string) => string = (stored) => stored,
): SessionWorkRow {
  const replies = JSON.parse(row.replies ?? "[]") as ReplyList[];
  return {
    source: row.source,
    id: row.id,
    projectPath: row.project_path,
    startedMs: row.started_ms,
    work: row.work === null ? null : (JSON.parse(row.work) as SessionWork),
    replies: replies.map((list) => replyOf(list, textOf)).toSorted(byPosition),
  };
}

function replyOf(list: ReplyList, textOf: (stored: string) => string): WorkReply {
  const model = list[3];
  return {
    position: list[0],
    messageId: textOf(list[1]),
    atMs: list[2],
    model: model === null ? null : textOf(model),
    standing: list[4],
    purpose: list[5],
    tier: list[6],
    input: list[7],
    fresh: list[8],
    cached: list[9],
    cacheWrite5m: list[10],
    cacheWrite1h: list[11],
    output: list[12],
    thoughts: list[13],
    tool: list[14],
    total: list[15],
    webSearches: list[16],
  };
}

function byPosition(a: WorkReply, b: WorkReply): number {
  return a.position - b.position;
}
