import { groupBy } from "../../core/group.ts";
import { instantOf } from "../../core/instant.ts";
import type { Session } from "../../core/session/session.ts";
import { isPaid } from "../../core/usage/counts.ts";
import type { BucketTokens, SplitUsage, UsageFact } from "../../core/usage/usage-fact.ts";
import { modelName } from "../../core/usage/usage-fact.ts";
import { factOf, promptOf, splitCounts } from "../../core/usage/usage-facts.ts";

/**
 * Paid replies as rows of numbers: tens of thousands of objects would cost as much to hold and to
 * sum as their files cost to read.
 *
 * A row holds only what a sum needs. It refers to its session by index in the given list, and to
 * names by their number in `names`.
 */
export interface ReplyTable {
  numbers: Float64Array;
  rows: number;
  names: Map<string | undefined, number>;
  /** Reply ids by row; two sessions may hold the same reply. */
  replyIds: string[];
  /** Replies whose recorded counts do not add up, by row; these are shown one by one. */
  odd: Map<number, UsageFact>;
}

const TOKENS = [
  "input",
  "fresh",
  "cached",
  "cacheWrite5m",
  "cacheWrite1h",
  "output",
  "thoughts",
  "tool",
  "total",
  "webSearches",
] as const;
/** The columns before the token counts. */
const FACTS = [
  "session",
  "atMs",
  "model",
  "tier",
  "standing",
  "root",
  "isAtLeast",
  "isOdd",
  "prompt",
] as const;

/** Numbers per row. */
export const WIDTH: number = FACTS.length + TOKENS.length;
const FIRST_ROWS = 1024;

/** The column of a fact. */
export function columnAt(fact: (typeof FACTS)[number]): number {
  return FACTS.indexOf(fact);
}

const TOKENS_AT = FACTS.length;

export function tokenColumn(token: (typeof TOKENS)[number]): number {
  return TOKENS_AT + TOKENS.indexOf(token);
}

export function emptyTable(): ReplyTable {
  return {
    numbers: new Float64Array(FIRST_ROWS * WIDTH),
    rows: 0,
    names: new Map(),
    replyIds: [],
    odd: new Map(),
  };
}

/** Adds a session's paid replies; `number` is the session's index. */
export function addReplies(
  table: ReplyTable,
  session: Pick<Session, "id" | "ledgerName" | "files" | "replies">,
  number: number,
): void {
  const [first] = session.files;
  for (const reply of session.replies) {
    if (!isPaid(reply.counts)) continue;
    const row = table.rows;
    if ((row + 1) * WIDTH > table.numbers.length) grow(table);
    table.rows += 1;
    table.replyIds.push(reply.id);
    const split = splitCounts(reply.counts);
    const isOdd = split.oddities !== undefined;
    if (isOdd) table.odd.set(row, factOf(reply, session));
    const { file: path } = reply.place;
    const file = first?.path === path ? first : session.files.find((each) => each.path === path);
    // In the order of FACTS. Assigned one by one: building a list per row costs more than the rest.
    const { numbers } = table;
    let at = row * WIDTH;
    numbers[at++] = number;
    numbers[at++] = reply.at === undefined ? Number.NaN : instantOf(reply.at);
    numbers[at++] = numberOf(table, modelName(reply.model));
    numbers[at++] = numberOf(table, reply.tier);
    numbers[at++] = numberOf(table, reply.standing);
    numbers[at++] = numberOf(table, (file ?? first)?.root);
    numbers[at++] = reply.isAtLeast === true ? 1 : 0;
    numbers[at++] = isOdd ? 1 : 0;
    numbers[at++] = promptOf(split);
    writeTokens(numbers, at, split);
  }
}

/** In the order of TOKENS; unknown counts are NaN. */
function writeTokens(numbers: Float64Array, start: number, split: SplitUsage): void {
  let at = start;
  numbers[at++] = split.input;
  numbers[at++] = split.fresh;
  numbers[at++] = split.cached ?? Number.NaN;
  numbers[at++] = split.cacheWrite5m ?? Number.NaN;
  numbers[at++] = split.cacheWrite1h ?? Number.NaN;
  numbers[at++] = split.output;
  numbers[at++] = split.thoughts ?? Number.NaN;
  numbers[at++] = split.tool ?? Number.NaN;
  numbers[at++] = split.total;
  numbers[at] = split.webSearches ?? Number.NaN;
}

function numberOf({ names }: ReplyTable, name: string | undefined): number {
  const known = names.get(name);
  if (known !== undefined) return known;
  names.set(name, names.size);
  return names.size - 1;
}

function grow(table: ReplyTable): void {
  const larger = new Float64Array(table.numbers.length * 2);
  larger.set(table.numbers);
  table.numbers = larger;
}

/** Sums start as unknown (NaN) and become known with the first known count. */
export function noTokens(): Float64Array {
  return new Float64Array(TOKENS.length).fill(Number.NaN);
}

/** Adds the token counts of the reply whose numbers begin at `at`. */
export function addTokens(sums: Float64Array, numbers: Float64Array, at: number): void {
  for (let token = 0; token < TOKENS.length; token += 1) {
    const count = numbers[at + TOKENS_AT + token] ?? Number.NaN;
    if (Number.isNaN(count)) continue;
    const known = sums[token] ?? Number.NaN;
    sums[token] = Number.isNaN(known) ? count : known + count;
  }
}

export function tokensOf(sums: Float64Array): BucketTokens {
  const known = (token: (typeof TOKENS)[number]): number | null => {
    const sum = sums[TOKENS.indexOf(token)] ?? Number.NaN;
    return Number.isNaN(sum) ? null : sum;
  };
  return {
    input: known("input") ?? 0,
    fresh: known("fresh") ?? 0,
    cached: known("cached"),
    cacheWrite5m: known("cacheWrite5m"),
    cacheWrite1h: known("cacheWrite1h"),
    output: known("output") ?? 0,
    thoughts: known("thoughts"),
    tool: known("tool"),
    total: known("total") ?? 0,
    webSearches: known("webSearches"),
  };
}

/** Replies whose recorded counts do not add up, by session, without copies. */
export function oddReplies(
  { numbers, odd }: ReplyTable,
  copies: Uint8Array,
): Map<number, UsageFact[]> {
  const own = [...odd].filter(([row]) => copies[row] !== 1);
  const bySession = groupBy(own, ([row]) => numbers[row * WIDTH] ?? 0);
  return new Map(
    [...bySession].map(([session, facts]) => [session, facts.map(([, fact]) => fact)]),
  );
}
