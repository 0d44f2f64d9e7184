import type { Message } from "./message.ts";
import type { Session } from "./session.ts";
import type { Usage, UsageField } from "./usage.ts";
import { isPaid, USAGE_FIELDS } from "./usage.ts";
import type { SplitUsage, UsageFact, UsageOddity } from "./usage-fact.ts";

type Told = Pick<Session, "id" | "ledgerName"> & { messages: readonly Message[] };

/** One fact per reply that this session paid for, whatever its standing. */
export function factsOf(session: Told): UsageFact[] {
  const facts: UsageFact[] = [];
  // Made once: what is added to it shares it.
  const prefix = `${session.ledgerName}:${session.id}:`;
  for (const message of session.messages) {
    const { usage } = message;
    if (message.author !== "model" || !isPaid(usage)) continue;
    if (message.isUsageRepeated === true) continue;
    facts.push(new Fact(message, session.id, prefix));
  }
  return facts;
}

/** What they add up to: the only sums of a session's tokens. */
export function sumFacts(facts: readonly UsageFact[]): Record<UsageField, number> {
  const sums = { input: 0, cached: 0, output: 0, thoughts: 0, tool: 0, total: 0 };
  for (const fact of facts) for (const field of USAGE_FIELDS) sums[field] += fact[field];
  return sums;
}

/**
 * There are many: objects of one class hold all their fields in themselves, where fields that are
 * added to a literal get a list beside it. All have the same fields, whatever they hold: what works
 * on them is compiled once.
 */
class Fact implements UsageFact {
  dedupKey: string;
  messageId: string;
  sessionId: string;
  standing: UsageFact["standing"];
  input: number;
  fresh: number;
  cached: number;
  output: number;
  thoughts: number;
  tool: number;
  total: number;
  remainder: number;
  place: UsageFact["place"];
  at: string | undefined;
  model: string | undefined;
  reason: UsageFact["reason"];
  oddities: UsageOddity[] | undefined;

  constructor(message: Message, sessionId: string, prefix: string) {
    const split = splitUsage(message.usage ?? {});
    this.dedupKey = prefix + keyOf(message);
    this.messageId = message.id;
    this.sessionId = sessionId;
    this.standing = message.standing;
    this.input = split.input;
    this.fresh = split.fresh;
    this.cached = split.cached;
    this.output = split.output;
    this.thoughts = split.thoughts;
    this.tool = split.tool;
    this.total = split.total;
    this.remainder = split.remainder;
    this.place = message.usagePlace ?? message.place;
    this.at = message.at;
    this.model = message.model;
    this.reason = message.reason;
    this.oddities = split.oddities;
  }
}

/** A reply without an id is known by its time, its model and its counts. */
function keyOf(message: Message): string {
  if (message.isUnnamed !== true) return message.id;
  const { at = "", model = "", usage = {} } = message;
  const counts = USAGE_FIELDS.map((field) => usage[field] ?? "").join(":");
  return `${at}:${model}:${counts}`;
}

/** Ten times the largest context there is, and not yet a sum that could be one by mistake. */
const PLAUSIBLE = 10_000_000;

/**
 * The only token arithmetic of the house. The recorded total is believed: where the parts do not
 * add up to it, the one reading that does is taken, and what is left over counts as output.
 */
export function splitUsage(usage: Usage): SplitUsage {
  const oddities: UsageOddity[] = [];
  const parts = partsOf(usage, oddities);
  const { input, cached, output, thoughts, tool } = parts;
  const sum = input + output + thoughts + tool;
  const over = (usage.total ?? 0) - sum;
  const remainder = over > 0 ? over : 0;
  if (remainder > 0) oddities.push("remainder");
  if (sum + remainder > PLAUSIBLE) oddities.push("implausible");
  const split: SplitUsage = {
    input,
    fresh: input - cached + tool,
    cached,
    output: output + remainder,
    thoughts,
    tool,
    total: sum + remainder,
    remainder,
  };
  if (oddities.length > 0) split.oddities = oddities;
  return split;
}

type Parts = Record<"input" | "cached" | "output" | "thoughts" | "tool", number>;

function partsOf(usage: Usage, oddities: UsageOddity[]): Parts {
  const { input = 0, cached = 0, output = 0, thoughts = 0, tool = 0, total = 0 } = usage;
  const parts: Parts = { input, cached, output, thoughts, tool };
  const sum = input + output + thoughts + tool;
  if (isPartMissing(usage)) oddities.push("part-missing");
  // A total of none beside parts was never sent by the backend.
  if (total === 0) oddities.push(usage.total === undefined ? "total-missing" : "total-zero");
  else if (total < sum) oddities.push(fitBelow(parts, total, sum));
  else if (total > sum) fitAbove(parts, usage, oddities);
  if (parts.cached > parts.input) {
    parts.cached = parts.input;
    oddities.push("cached-above-input");
  }
  return parts;
}

function isPartMissing({ input, cached, output, thoughts, tool }: Usage): boolean {
  const isTold = input !== undefined && cached !== undefined && output !== undefined;
  return !isTold || thoughts === undefined || tool === undefined;
}

/** The parts are more than the total: perhaps one of them holds another. */
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

/** The parts are less than the total: perhaps the prompt is told in part, or not at all. */
function fitAbove(parts: Parts, usage: Usage, oddities: UsageOddity[]): void {
  const { total = 0 } = usage;
  const missing = total - (parts.input + parts.output + parts.thoughts + parts.tool);
  if (parts.cached > parts.input && missing === parts.cached) {
    parts.input += parts.cached;
    oddities.push("cached-beside-input");
  } else if (usage.input === undefined) {
    // Whatever else is not known: a request has a prompt, and mostly that is the larger part.
    parts.input = missing;
    oddities.push("input-from-total");
  }
}
