import type { Counts } from "../../../core/usage/counts.ts";
import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Place } from "../../../core/files/place.ts";
import { optional } from "../../../core/optional.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject, objectsIn } from "../../decoding/fields.ts";
import type { Report } from "../../source.ts";

/** Counters of the API: cache reads and writes are not part of the input count. */
export interface RecordedUsage {
  input?: number;
  cached?: number;
  /** All cache writes; the next two are parts of it. */
  written?: number;
  written5m?: number;
  written1h?: number;
  output?: number;
  thoughts?: number;
  searches?: number;
}

const COUNTERS = [
  "input",
  "cached",
  "written",
  "written5m",
  "written1h",
  "output",
  "thoughts",
  "searches",
] as const;

/**
 *     {"input_tokens": 4, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 211,
 *      "cache_creation": {"ephemeral_5m_input_tokens": 20, "ephemeral_1h_input_tokens": 10},
 *      "output_tokens": 107, "output_tokens_details": {"thinking_tokens": 40},
 *      "server_tool_use": {"web_search_requests": 2}}
 */
export function readUsage(usage: Json, place: Place, report: Report): RecordedUsage {
  const split = asObject(usage["cache_creation"]);
  const values = {
    input: usage["input_tokens"],
    cached: usage["cache_read_input_tokens"],
    written: usage["cache_creation_input_tokens"],
    written5m: split?.["ephemeral_5m_input_tokens"],
    written1h: split?.["ephemeral_1h_input_tokens"],
    output: usage["output_tokens"],
    thoughts: asObject(usage["output_tokens_details"])?.["thinking_tokens"],
    searches: asObject(usage["server_tool_use"])?.["web_search_requests"],
  };
  return countsOf(values, () => {
    const message = "A token count is not a valid number; it is treated as unknown.";
    report(diagnosticAt(place, { code: "bad-tokens", severity: "damage", message }));
  });
}

/** A request that the API made within another one; the counts of the answer do not include it. */
export interface InnerRequest {
  kind: "advice" | "compaction";
  /** Absent if it is the model of the answer. */
  model?: string;
  usage: RecordedUsage;
}

const INNER: ReadonlyMap<unknown, InnerRequest["kind"]> = new Map([
  ["advisor_message", "advice"],
  ["compaction", "compaction"],
]);

/**
 * The steps of kind `message` add up to the counts of the answer; the others come on top:
 *
 *     "iterations": [
 *       {"type": "message", "input_tokens": 4, …},
 *       {"type": "advisor_message", "model": "claude-fable-5-1", "input_tokens": 900, …}]
 */
export function readInnerRequests(usage: Json, place: Place, report: Report): InnerRequest[] {
  return objectsIn(usage["iterations"]).flatMap((step): InnerRequest[] => {
    const kind = INNER.get(step["type"]);
    if (kind === undefined) return [];
    const model = asName(step["model"]);
    return [{ kind, ...optional("model", model), usage: readUsage(step, place, report) }];
  });
}

/** Reads Claude Code's own totals: `{"inputTokens": 4, "cacheReadInputTokens": 211, …}`. */
export function readTotals(totals: Json): RecordedUsage {
  const values = {
    input: totals["inputTokens"],
    cached: totals["cacheReadInputTokens"],
    written: totals["cacheCreationInputTokens"],
    written5m: totals["cacheCreationEphemeral5mInputTokens"],
    written1h: totals["cacheCreationEphemeral1hInputTokens"],
    output: totals["outputTokens"],
    thoughts: totals["thinkingTokens"],
    searches: totals["webSearchRequests"],
  };
  return countsOf(values, () => undefined);
}

function countsOf(
  values: Readonly<Record<keyof RecordedUsage, unknown>>,
  reportBad: () => void,
): RecordedUsage {
  const usage: RecordedUsage = {};
  for (const counter of COUNTERS) {
    const value = values[counter];
    if (isCount(value)) usage[counter] = value;
    else if (value !== undefined && value !== null) reportBad();
  }
  return usage;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Returns the largest value of each counter: later records of an answer have higher counts. */
export function largest(known: RecordedUsage, more: RecordedUsage): RecordedUsage {
  const merged: RecordedUsage = { ...known };
  for (const counter of COUNTERS) {
    const value = more[counter];
    if (value !== undefined && value > (merged[counter] ?? -1)) merged[counter] = value;
  }
  return merged;
}

/** The whole prompt; a count that is not recorded is zero here. */
export function promptOf({ input = 0, cached = 0, written = 0 }: RecordedUsage): number {
  return input + cached + written;
}

/**
 * Completes earlier counts with the final ones. An API may first count the whole prompt as new, and
 * at the end the part of it that was cached separately: the counts of a prompt belong together.
 */
export function completed(earlier: RecordedUsage, final: RecordedUsage): RecordedUsage {
  const merged = largest(earlier, final);
  if (promptOf(final) === 0) return merged;
  const { input = merged.input, cached = merged.cached, written = merged.written } = final;
  return {
    ...merged,
    ...optional("input", input),
    ...optional("cached", cached),
    ...optional("written", written),
  };
}

export function plus(sum: RecordedUsage, more: RecordedUsage): RecordedUsage {
  const added: RecordedUsage = { ...sum };
  for (const counter of COUNTERS) {
    const value = more[counter];
    if (value !== undefined) added[counter] = (added[counter] ?? 0) + value;
  }
  return added;
}

/** Returns how much a total exceeds what was recorded; undefined if it exceeds it in no counter. */
export function excess(total: RecordedUsage, recorded: RecordedUsage): RecordedUsage | undefined {
  const over: RecordedUsage = {};
  let isMore = false;
  for (const counter of COUNTERS) {
    const whole = total[counter];
    if (whole === undefined) continue;
    over[counter] = Math.max(0, whole - (recorded[counter] ?? 0));
    isMore ||= over[counter] > 0;
  }
  return isMore ? over : undefined;
}

/** Cache writes of unknown duration count as five-minute writes. */
export function asCounts(usage: RecordedUsage): Counts {
  const { input, cached, written, written5m, written1h, output, thoughts, searches } = usage;
  const counts: Counts = { shape: "cache-beside-input", reasoning: "inside-output" };
  if (input !== undefined) counts.input = input;
  if (cached !== undefined) counts.cached = cached;
  const rest = (written ?? 0) - (written5m ?? 0) - (written1h ?? 0);
  const minutes = rest > 0 ? (written5m ?? 0) + rest : written5m;
  if (minutes !== undefined) counts.cacheWrite5m = minutes;
  else if (written !== undefined && written1h === undefined) counts.cacheWrite5m = written;
  if (written1h !== undefined) counts.cacheWrite1h = written1h;
  if (output !== undefined) counts.output = output;
  if (thoughts !== undefined) counts.thoughts = thoughts;
  if (searches !== undefined) counts.webSearches = searches;
  return counts;
}

export function tierOf(usage: Json): string | undefined {
  const [tier, speed, geo] = [usage["service_tier"], usage["speed"], usage["inference_geo"]];
  return tierNamed({ tier: asName(tier), speed: asName(speed), geo: asName(geo) });
}

/** Values that do not change the price. */
const USUAL = new Set(["", "standard", "global", "not_available"]);

/**
 * Returns what changes the price: a service tier such as `priority` or `batch`, the fast mode, and
 * inference in one region only (`geo-us`); several are joined: `fast+geo-us`.
 */
export function tierNamed({ tier = "", speed = "", geo = "" }: TierParts): string | undefined {
  if (USUAL.has(tier) && USUAL.has(speed) && USUAL.has(geo)) return undefined;
  const region = USUAL.has(geo) ? "" : `geo-${geo}`;
  return [tier, speed, region].filter((part) => !USUAL.has(part)).join("+");
}

interface TierParts {
  tier?: string | undefined;
  speed?: string | undefined;
  geo?: string | undefined;
}
