import type { ByteSource } from "../../kernel/bytes.ts";
import type { NativeLine, NativeObject } from "../native.ts";
import type { RecordGrammar } from "./glued.ts";
import { splitGlued } from "./glued.ts";
import { linesOf } from "./lines.ts";
import { parseJsonText, stripBom } from "./parse.ts";

/** Yields the lines of a file with their places, for lossless translations. */
export function* nativeLines(bytes: ByteSource): Iterable<NativeLine> {
  for (const { number, start, length, ...line } of linesOf(bytes)) {
    const place = { file: bytes.path, line: number, start, end: start + length };
    yield { ...line, place };
  }
}

/** Recovers the same records as the readers do, see `json-lines.ts`. */
export function recoverRecords(
  { bytes, isTerminated }: NativeLine,
  grammar: RecordGrammar,
): unknown[] {
  const text = stripBom(bytes.toString("utf8")).replaceAll("\0", "");
  const parsed = parseJsonText(text);
  if (parsed.isJson) return [parsed.value];
  return splitGlued(text, isTerminated ? "ended" : "open", grammar).values;
}

/** Prefixes of model names, as in the draft's scripts. */
const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/^claude/, "anthropic"],
  [/^gemini/, "google"],
  [/^(gpt|o3|o4)/, "openai"],
];

export function vendorOfModel(model: string): string {
  return VENDORS.find(([opening]) => opening.test(model))?.[1] ?? "unknown";
}

/** Returns the same members, renamed to their names in records. */
export function renamed(object: NativeObject, names: ReadonlyMap<string, string>): NativeObject {
  const pairs = Object.entries(object).map(([key, value]) => [names.get(key) ?? key, value]);
  return Object.fromEntries(pairs) as NativeObject;
}
