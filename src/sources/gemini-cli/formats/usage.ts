import type { Counts } from "../../../core/usage/counts.ts";
import type { Json } from "../../decoding/fields.ts";
import { asObject, describeInvalidCount, isCount, typeName } from "../../decoding/fields.ts";

export interface ReadTokens {
  usage?: Counts;
  /** Describes unusable counts, for a diagnostic. */
  problem?: string;
}

const FIELDS = ["input", "cached", "output", "thoughts", "tool", "total"] as const;
/** The prompt count includes the cached part; thoughts are counted beside the visible output. */
export const SHAPE: Pick<Counts, "shape" | "reasoning"> = {
  shape: "cache-inside-input",
  reasoning: "beside-output",
};

/**
 * Reads `{"input": 11016, "output": 38, "cached": 211, "thoughts": 16, "tool": 0, "total": 11070}`,
 * kept as recorded. A field that is not a count is left out and reported: unknown is not zero.
 */
export function readTokens(recorded: unknown): ReadTokens {
  if (recorded === undefined || recorded === null) return {};
  const tokens = asObject(recorded);
  if (!tokens) return { problem: `tokens is not an object but ${typeName(recorded)}` };
  const whole = wholeUsage(tokens);
  if (whole) return { usage: whole };
  const usage: Counts = { ...SHAPE };
  const problems: string[] = [];
  for (const field of FIELDS) {
    const value = tokens[field];
    if (value === undefined || value === null) continue;
    if (isCount(value)) usage[field] = value;
    else problems.push(`tokens.${field} is ${describeInvalidCount(value)}`);
  }
  return {
    ...(FIELDS.some((field) => usage[field] !== undefined) ? { usage } : {}),
    ...(problems.length > 0 ? { problem: problems.join(", ") } : {}),
  };
}

/** Fast path for complete counts, the usual case: there may be hundreds of thousands of them. */
function wholeUsage({ input, cached, output, thoughts, tool, total }: Json): Counts | undefined {
  if (!isCount(input) || !isCount(cached) || !isCount(output)) return undefined;
  if (!isCount(thoughts) || !isCount(tool) || !isCount(total)) return undefined;
  return { ...SHAPE, input, cached, output, thoughts, tool, total };
}
