import { compareOrder, copyOrder } from "../../core/session/links.ts";
import type { SessionRow } from "../../core/rows/session-rows.ts";
import type { ReplyTable } from "./table.ts";
import { columnAt, tokenColumn, WIDTH } from "./table.ts";

/** Sessions of one source with their recorded replies. */
export interface SessionReplies {
  sessions: readonly SessionRow[];
  table: ReplyTable;
}

/** One byte per row: 1 if another session owns the reply. */
export type CopyMarks = Uint8Array;

const SESSION = columnAt("session");
const AT = columnAt("atMs");
const COUNTS = (["input", "cached", "output", "thoughts", "total"] as const).map(tokenColumn);

/** True if a copy has other counts than every record of it in the session that owns the reply. */
export function hasUnequalCopies({ table }: SessionReplies, copies: CopyMarks): boolean {
  // Few replies have copies, and only these are compared.
  const copied = new Set(table.replyIds.filter((_, row) => copies[row] === 1));
  if (copied.size === 0) return false;
  const owned = new Set<string>();
  const keyAt = (row: number): string => {
    const counts = COUNTS.map((column) => table.numbers[row * WIDTH + column]);
    return [table.replyIds[row], ...counts].join("\n");
  };
  table.replyIds.forEach((replyId, row) => {
    if (copies[row] !== 1 && copied.has(replyId)) owned.add(keyAt(row));
  });
  return copies.some((mark, row) => mark === 1 && !owned.has(keyAt(row)));
}

/**
 * Marks the copies among a source's replies. A reply belongs to the session that recorded it first.
 */
export function markCopies({ sessions, table }: SessionReplies): CopyMarks {
  const { numbers, replyIds } = table;
  const sessionOf = (row: number): number => numbers[row * WIDTH + SESSION] ?? 0;
  const isEarlier = (row: number, other: number): boolean => {
    const [session, otherSession] = [sessions[sessionOf(row)], sessions[sessionOf(other)]];
    if (!session || !otherSession) return false;
    const [at, otherAt] = [row, other].map((each) => numbers[each * WIDTH + AT] ?? Number.NaN);
    const order = copyOrder(session, at ?? Number.NaN);
    return compareOrder(order, copyOrder(otherSession, otherAt ?? Number.NaN)) < 0;
  };
  const firsts = new Map<string, number>();
  let hasCopies = false;
  replyIds.forEach((replyId, row) => {
    const known = firsts.get(replyId);
    if (known !== undefined) hasCopies ||= sessionOf(known) !== sessionOf(row);
    if (known === undefined || isEarlier(row, known)) firsts.set(replyId, row);
  });
  const marks = new Uint8Array(table.rows);
  if (!hasCopies) return marks;
  replyIds.forEach((replyId, row) => {
    if (sessionOf(firsts.get(replyId) ?? row) !== sessionOf(row)) marks[row] = 1;
  });
  return marks;
}
