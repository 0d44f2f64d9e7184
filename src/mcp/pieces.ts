import { PolluxError } from "../core/error.ts";

/** Maximum size of a list or text in one answer. */
export const USUAL_CHARACTERS = 16_000;

/** Part of a list, with the cursor of the next part. */
export interface Piece<T> {
  items: T[];
  /** `null` for the last piece. */
  next: string | null;
}

/** Items from the cursor on: as many as fit, up to the limit, at least one. */
export function pieceOf<T>(
  items: readonly T[],
  cursor: string | undefined,
  limit: number = Number.POSITIVE_INFINITY,
): Piece<T> {
  const most = USUAL_CHARACTERS;
  const from = startOf(cursor);
  let length = 0;
  let to = from;
  while (to < items.length && to - from < limit && (to === from || length < most)) {
    length += JSON.stringify(items[to]).length;
    if (to > from && length > most) break;
    to += 1;
  }
  return { items: items.slice(from, to), next: to < items.length ? String(to) : null };
}

/** The index that a cursor encodes. */
export function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw wrongCursor(cursor);
}

export function wrongCursor(cursor: string): PolluxError {
  return new PolluxError("wrong-cursor", `"${cursor.slice(0, 40)}" is not a valid cursor.`, {
    remedy: "Pass `next` of the previous answer unchanged, or leave it out to start.",
  });
}
