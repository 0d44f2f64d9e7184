import type { CopyOrder } from "../../core/links.ts";
import { compareOrder, copyOrder } from "../../core/links.ts";
import type { SessionRow } from "../../core/session-rows.ts";
import type { ReplyTable } from "./table.ts";
import { columnAt, WIDTH } from "./table.ts";

/** Replies of sessions of one source, as one thread read them. */
export interface ReplyPart {
  sessions: readonly SessionRow[];
  table: ReplyTable;
}

/** By row, 1 for a reply that another session owns. */
export type CopyMarks = Uint8Array;

const SESSION = columnAt("session");
const AT = columnAt("atMs");

/** Which replies of a source are copies: each belongs to the session that recorded it first. */
export function markCopies(parts: readonly ReplyPart[]): CopyMarks[] {
  const places = new Places(parts);
  const firsts = new Map<string, number>();
  let hasCopies = false;
  for (const [number, { table }] of parts.entries()) {
    for (const [row, replyId] of table.replyIds.entries()) {
      const place = places.placeOf(number, row);
      const known = firsts.get(replyId);
      if (known === undefined) firsts.set(replyId, place);
      else {
        hasCopies ||= places.sessionAt(known) !== places.sessionAt(place);
        const isFirst = compareOrder(places.orderAt(place), places.orderAt(known)) < 0;
        if (isFirst) firsts.set(replyId, place);
      }
    }
  }
  return parts.map(({ table }, number) => {
    const marks = new Uint8Array(table.rows);
    if (!hasCopies) return marks;
    for (const [row, replyId] of table.replyIds.entries()) {
      const place = places.placeOf(number, row);
      const first = firsts.get(replyId) ?? place;
      if (places.sessionAt(first) !== places.sessionAt(place)) marks[row] = 1;
    }
    return marks;
  });
}

/** Rows of several parts, each by one number. */
class Places {
  readonly #parts: readonly ReplyPart[];

  constructor(parts: readonly ReplyPart[]) {
    this.#parts = parts;
  }

  placeOf(part: number, row: number): number {
    return row * this.#parts.length + part;
  }

  sessionAt(place: number): SessionRow | undefined {
    return this.#partOf(place)?.sessions[this.#number(place, SESSION)];
  }

  orderAt(place: number): CopyOrder {
    const session = this.sessionAt(place);
    if (!session) throw new RangeError("Every reply has a session.");
    return copyOrder(session, this.#number(place, AT));
  }

  #number(place: number, column: number): number {
    const row = Math.floor(place / this.#parts.length);
    return this.#partOf(place)?.table.numbers[row * WIDTH + column] ?? Number.NaN;
  }

  #partOf(place: number): ReplyPart | undefined {
    return this.#parts[place % this.#parts.length];
  }
}
