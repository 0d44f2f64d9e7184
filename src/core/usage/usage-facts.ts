import type { Counts, TokenField } from "./counts.ts";
import { isPaid } from "./counts.ts";
import type { Reply, Session } from "../session/session.ts";
import { UNKNOWN_TOKENS } from "../rows/summary.ts";
import type { BucketTokens, SplitUsage, UsageFact, UsageOddity } from "./usage-fact.ts";

/** Returns one fact per paid reply that this session recorded, whatever its standing. */
export function factsOf(session: Pick<Session, "id" | "ledgerName" | "replies">): UsageFact[] {
  const facts: UsageFact[] = [];
  for (const reply of session.replies) {
    if (isPaid(reply.counts)) facts.push(factOf(reply, session));
  }
  return facts;
}

/**
 * All facts have the same fields in the same order, which JavaScript engines handle fastest: there
 * are many facts.
 */
export function factOf(reply: Reply, session: Pick<Session, "id" | "ledgerName">): UsageFact {
  const split = splitCounts(reply.counts);
  return {
    dedupKey: `${session.ledgerName}:${session.id}:${reply.ledgerKey ?? reply.id}`,
    replyId: reply.id,
    messageId: reply.messageId,
    sessionId: session.id,
    at: reply.at,
    model: reply.model,
    standing: reply.standing,
    reason: reply.reason,
    isAtLeast: reply.isAtLeast,
    purpose: reply.purpose,
    tier: reply.tier,
    place: reply.place,
    input: split.input,
    fresh: split.fresh,
    cached: split.cached,
    cacheWrite5m: split.cacheWrite5m,
    cacheWrite1h: split.cacheWrite1h,
    output: split.output,
    thoughts: split.thoughts,
    tool: split.tool,
    total: split.total,
    webSearches: split.webSearches,
    remainder: split.remainder,
    oddities: split.oddities,
  };
}

/** Adds two counts, either of which may be unknown. */
export function addNullable(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more;
}

/**
 * Returns the size of a request's whole prompt, which determines its price tier: cached or not,
 * plus the prompt that server-side tools added.
 */
export function promptOf({ input, tool }: Pick<SplitUsage, "input" | "tool">): number {
  return input + (tool ?? 0);
}

/** Returns all tokens written to the cache, of either lifetime. */
export function cacheWriteOf({
  cacheWrite5m,
  cacheWrite1h,
}: Pick<SplitUsage, "cacheWrite5m" | "cacheWrite1h">): number | null {
  return addNullable(cacheWrite5m, cacheWrite1h);
}

/** The sum of no splits: optional parts stay unknown. */
export const EMPTY_SPLIT: Readonly<BucketTokens> = {
  input: 0,
  fresh: 0,
  cached: null,
  cacheWrite5m: null,
  cacheWrite1h: null,
  output: 0,
  thoughts: null,
  tool: null,
  total: 0,
  webSearches: null,
};

/** Adds splits part by part. */
export function sumSplits(splits: readonly BucketTokens[]): BucketTokens {
  const sum = { ...EMPTY_SPLIT };
  for (const split of splits) addSplit(sum, split);
  return sum;
}

/** Adds to a sum in place: reports add thousands. */
export function addSplit(sum: BucketTokens, more: BucketTokens): void {
  sum.input += more.input;
  sum.fresh += more.fresh;
  sum.cached = addNullable(sum.cached, more.cached);
  sum.cacheWrite5m = addNullable(sum.cacheWrite5m, more.cacheWrite5m);
  sum.cacheWrite1h = addNullable(sum.cacheWrite1h, more.cacheWrite1h);
  sum.output += more.output;
  sum.thoughts = addNullable(sum.thoughts, more.thoughts);
  sum.tool = addNullable(sum.tool, more.tool);
  sum.total += more.total;
  sum.webSearches = addNullable(sum.webSearches, more.webSearches);
}

/** Sums facts in the form that answers use; a part is unknown if no fact knows it. */
export function sumFacts(facts: readonly SplitUsage[]): Record<TokenField, number | null> {
  return facts.length === 0 ? UNKNOWN_TOKENS : tokensOf(sumSplits(facts));
}

/** Sums web searches; unknown if no fact knows them. */
export function sumSearches(facts: readonly Pick<SplitUsage, "webSearches">[]): number | null {
  return facts.reduce<number | null>((sum, fact) => addNullable(sum, fact.webSearches), null);
}

export function tokensOf(split: BucketTokens): Record<TokenField, number | null> {
  const { input, cached, output, thoughts, tool, total } = split;
  return { input, cached, cacheWrite: cacheWriteOf(split), output, thoughts, tool, total };
}

/** Ten times the largest existing context window: a higher count is probably wrong. */
const PLAUSIBLE = 10_000_000;

/**
 * The only token arithmetic. A recorded total is trusted: if the parts do not add up to it, the
 * reading that does is used, and the rest counts as output.
 */
export function splitCounts(counts: Counts): SplitUsage {
  const oddities: UsageOddity[] = [];
  const parts = partsOf(counts, oddities);
  const { input, cached, write5m, write1h, output, thoughts, tool } = parts;
  const sum = input + output + thoughts + tool;
  const over = (counts.total ?? 0) - sum;
  const remainder = over > 0 ? over : 0;
  if (remainder > 0) oddities.push("remainder");
  if (sum + remainder > PLAUSIBLE) oddities.push("implausible");
  const split: SplitUsage = {
    input,
    fresh: input - cached - write5m - write1h + tool,
    cached: counts.cached === undefined ? null : cached,
    cacheWrite5m: counts.cacheWrite5m === undefined ? null : write5m,
    cacheWrite1h: counts.cacheWrite1h === undefined ? null : write1h,
    output: output + remainder,
    thoughts: counts.thoughts === undefined ? null : thoughts,
    tool: counts.tool === undefined ? null : tool,
    total: sum + remainder,
    webSearches: counts.webSearches ?? null,
    remainder,
  };
  if (oddities.length > 0) split.oddities = oddities;
  return split;
}

/** The whole prompt and the output without thoughts, whatever the recorded shape. */
interface Parts {
  input: number;
  cached: number;
  /** Tokens written to the cache. */
  write5m: number;
  write1h: number;
  output: number;
  thoughts: number;
  tool: number;
}

function partsOf(counts: Counts, oddities: UsageOddity[]): Parts {
  const { input = 0, cached = 0, output = 0, thoughts = 0, tool = 0 } = counts;
  const { cacheWrite5m: write5m = 0, cacheWrite1h: write1h = 0 } = counts;
  const isBeside = counts.shape === "cache-beside-input";
  const parts: Parts = {
    input: isBeside ? input + cached + write5m + write1h : input,
    cached,
    write5m,
    write1h,
    output,
    thoughts,
    tool,
  };
  if (counts.reasoning === "inside-output") takeThoughtsOut(parts, oddities);
  if (counts.input === undefined || counts.output === undefined) oddities.push("part-missing");
  fitTotal(parts, counts, oddities);
  if (parts.cached + parts.write5m + parts.write1h > parts.input) {
    parts.write1h = Math.min(parts.write1h, parts.input);
    parts.write5m = Math.min(parts.write5m, parts.input - parts.write1h);
    parts.cached = Math.min(parts.cached, parts.input - parts.write1h - parts.write5m);
    oddities.push("cached-above-input");
  }
  return parts;
}

function takeThoughtsOut(parts: Parts, oddities: UsageOddity[]): void {
  if (parts.thoughts > parts.output) {
    parts.thoughts = parts.output;
    oddities.push("thoughts-above-output");
  }
  parts.output -= parts.thoughts;
}

function fitTotal(parts: Parts, counts: Counts, oddities: UsageOddity[]): void {
  const { total = 0 } = counts;
  const sum = parts.input + parts.output + parts.thoughts + parts.tool;
  // A backend never sends a total of zero beside parts.
  if (total !== 0 && total < sum) oddities.push(fitBelow(parts, total, sum));
  else if (total > sum) fitAbove(parts, counts, oddities);
  else if (total === 0 && counts.total !== undefined) oddities.push("total-zero");
  // Vendors that count the cache beside the input record no total.
  else if (counts.total === undefined && counts.shape === "cache-inside-input") {
    oddities.push("total-missing");
  }
}

/** The parts exceed the total: one of them may include another. */
function fitBelow(parts: Parts, total: number, sum: number): UsageOddity {
  if (parts.thoughts > 0 && sum - parts.thoughts === total && parts.output >= parts.thoughts) {
    parts.output -= parts.thoughts;
    return "thoughts-in-output";
  }
  if (parts.tool > 0 && sum - parts.tool === total && parts.input >= parts.tool) {
    parts.input -= parts.tool;
    return "tool-in-input";
  }
  return "total-below-parts";
}

/** The total exceeds the parts: the prompt may be recorded in part, or not at all. */
function fitAbove(parts: Parts, counts: Counts, oddities: UsageOddity[]): void {
  const { total = 0 } = counts;
  const missing = total - (parts.input + parts.output + parts.thoughts + parts.tool);
  if (parts.cached > parts.input && missing === parts.cached) {
    parts.input += parts.cached;
    oddities.push("cached-beside-input");
  } else if (counts.input === undefined) {
    // Every request has a prompt, and it is usually the largest part.
    parts.input = missing;
    oddities.push("input-from-total");
  }
}
