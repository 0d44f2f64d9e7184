import { PolluxError } from "../core/error.ts";

/**
 * Characters that are valid in JSON text, but that terminals interpret or readers cannot see: DEL,
 * C1, bidi and zero-width characters, line separators. Escaping them keeps the value unchanged.
 */
const UNSAFE = /[\x7f-\x9f\u2028\u2029\p{Cf}\p{DI}]/gu;

/**
 * Common letters and punctuation (dashes, quotes, an ellipsis) that are never unsafe; most texts
 * have only these and need one scan.
 */
const NOT_PLAIN =
  /[^\n -~\u00c0-\u024f\u0391-\u045f\u2010-\u2027\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]/;

/** Escapes the unsafe characters of JSON text. */
export function safeJson(text: string): string {
  return NOT_PLAIN.test(text) ? text.replace(UNSAFE, escaped) : text;
}

/** A value on one line. */
export function compactJson(value: unknown): string {
  return safeJson(written(value));
}

/** A value over several lines, indented by `margin`. */
export function prettyJson(value: unknown, margin = ""): string {
  return safeJson(written(value, 2)).replaceAll("\n", `\n${margin}`);
}

/** Fails if a string would exceed 512 MB, or if a value is nested too deeply. */
function written(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? "null";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = "A message of this session is too long or nested too deeply for this format.";
    throw new PolluxError("too-large", message, {
      remedy: "`pollux show --json` and `pollux record` write it piece by piece.",
      cause: error,
    });
  }
}

/** A list within an object, written element by element. */
export async function* prettyList(
  items: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<string> {
  let isEmpty = true;
  yield "[";
  for await (const item of items) {
    yield `${isEmpty ? "" : ","}\n    ${prettyJson(item, "    ")}`;
    isEmpty = false;
  }
  yield isEmpty ? "]" : "\n  ]";
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
