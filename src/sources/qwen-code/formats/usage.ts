import type { Counts } from "../../../core/usage/counts.ts";
import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Place } from "../../../core/files/place.ts";
import type { Json } from "../../decoding/fields.ts";
import { asObject, describeInvalidCount, isCount, typeName } from "../../decoding/fields.ts";
import type { Report } from "../../source.ts";

/** Field names of the counts in one kind of record. */
export type CountNames = Readonly<
  Record<"input" | "cached" | "output" | "thoughts" | "tool" | "total", string>
>;

export const TELEMETRY: CountNames = {
  input: "input_token_count",
  cached: "cached_content_token_count",
  output: "output_token_count",
  thoughts: "thoughts_token_count",
  tool: "tool_token_count",
  total: "total_token_count",
};

export const METADATA: CountNames = {
  input: "promptTokenCount",
  cached: "cachedContentTokenCount",
  output: "candidatesTokenCount",
  thoughts: "thoughtsTokenCount",
  tool: "toolUsePromptTokenCount",
  total: "totalTokenCount",
};

export const DOCUMENT: CountNames = {
  input: "input",
  cached: "cached",
  output: "output",
  thoughts: "thoughts",
  tool: "tool",
  total: "total",
};

export const PROCESS: CountNames = {
  input: "inputTokens",
  cached: "cachedTokens",
  output: "outputTokens",
  thoughts: "thoughtsTokens",
  tool: "toolTokens",
  total: "totalTokens",
};

/** The API that answered; counts differ between these. */
export type Dialect = "openai" | "anthropic" | "gemini";

export function dialectOf(authType: unknown): Dialect {
  if (authType === "anthropic") return "anthropic";
  return authType === "gemini" || authType === "vertex-ai" ? "gemini" : "openai";
}

/**
 * Reads counts. In every dialect the output is the total minus the prompt: the recorded output of
 * OpenAI and Anthropic includes thoughts, that of Gemini does not. Anthropic counts no thoughts.
 */
export function readCounts(
  recorded: unknown,
  names: CountNames,
  { dialect = "openai", place, report }: CountContext,
): Counts | undefined {
  if (recorded === undefined || recorded === null) return undefined;
  const given = asObject(recorded);
  const { found, problems } = given ? pick(given, names) : notCounts(recorded);
  if (problems.length > 0) {
    const message = `Token counts could not be used: ${problems.join(", ")}.`;
    report(diagnosticAt(place, { code: "bad-tokens", severity: "damage", message }));
  }
  return Object.keys(found).length === 0 ? undefined : countsOf(found, dialect);
}

/** Avoids spreads for speed: there is one for each request. */
export function countsOf(found: FoundCounts, dialect: Dialect): Counts {
  const { input, cached, thoughts, tool, total } = found;
  const output = outputOf(found, dialect);
  const counts: Counts = { shape: "cache-inside-input", reasoning: "inside-output" };
  if (input !== undefined) counts.input = input;
  if (cached !== undefined) counts.cached = cached;
  if (output !== undefined) counts.output = output;
  const isUncounted = dialect === "anthropic" && thoughts === 0;
  if (thoughts !== undefined && !isUncounted) counts.thoughts = thoughts;
  if (tool !== undefined) counts.tool = tool;
  if (total !== undefined) counts.total = total;
  return counts;
}

/** The dialect of counts, and where to report an invalid one. */
export interface CountContext {
  dialect?: Dialect;
  place: Place;
  report: Report;
}

/** Counts as recorded, before their nesting is resolved. */
export type FoundCounts = Partial<Record<keyof CountNames, number | undefined>>;

function notCounts(recorded: unknown): { found: FoundCounts; problems: string[] } {
  return { found: {}, problems: [`they are not an object but ${typeName(recorded)}`] };
}

function pick(given: Json, names: CountNames): { found: FoundCounts; problems: string[] } {
  const found: FoundCounts = {};
  const problems: string[] = [];
  for (const field of Object.keys(names) as (keyof CountNames)[]) {
    const value = given[names[field]];
    if (value === undefined || value === null) continue;
    if (isCount(value)) found[field] = value;
    else problems.push(`${names[field]} is ${describeInvalidCount(value)}`);
  }
  return { found, problems };
}

function outputOf(found: FoundCounts, dialect: Dialect): number | undefined {
  const { input = 0, tool = 0, total = 0, output, thoughts = 0 } = found;
  if (total > 0 && total >= input + tool) return total - input - tool;
  if (output === undefined) return undefined;
  return dialect === "gemini" ? output + thoughts : output;
}
