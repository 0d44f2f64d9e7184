import { isUtf8 } from "node:buffer";
import { readForeignText } from "../../kernel/open-file.ts";
import type { Json } from "./fields.ts";
import { asName, asObject } from "./fields.ts";
import { textOf } from "./text-of.ts";

export type Parsed =
  | { isJson: true; value: unknown; hasInvalidText: boolean }
  | { isJson: false; reason: string };

const REPLACEMENT = "\uFFFD";

/** Parses JSON bytes; never throws. Invalid UTF-8 becomes replacement characters. */
export function parseJson(bytes: Buffer): Parsed {
  try {
    const text = textOf(bytes);
    const hasInvalidText = text.includes(REPLACEMENT) && !isUtf8(bytes);
    return { isJson: true, value: JSON.parse(stripBom(text)), hasInvalidText };
  } catch (error) {
    return { isJson: false, reason: shortReason(error) };
  }
}

export function parseJsonText(text: string): Parsed {
  try {
    return { isJson: true, value: JSON.parse(text), hasInvalidText: false };
  } catch (error) {
    return { isJson: false, reason: shortReason(error) };
  }
}

/**
 * Reads a settings file, which may contain comments. A missing or invalid file has no settings;
 * agents ignore such files, too.
 */
export function readSettings(path: string): Json {
  let text: string;
  try {
    text = readForeignText(path);
  } catch {
    // There is no settings file.
    return {};
  }
  const bare = stripBom(text).replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  const parsed = parseJsonText(bare);
  return (parsed.isJson ? asObject(parsed.value) : undefined) ?? {};
}

/**
 * Returns the first recorded session id. Does not match inside recorded texts, because quotes are
 * escaped there, nor a record that begins inside a cut one.
 */
export function sessionIdIn(text: string): string | undefined {
  const match = /"sessionId"\s*:\s*("(?:\\.|[^"\\{])*")/.exec(text);
  const parsed = parseJsonText(match?.[1] ?? "");
  return parsed.isJson ? asName(parsed.value) : undefined;
}

/** Returns the last time in any of these fields; undefined if a text has none. */
export function lastTimeIn(text: string, fields: readonly string[]): number | undefined {
  const field = new RegExp(`"(?:${fields.join("|")})"\\s*:\\s*"([^"\\\\]+)"`, "g");
  const times = [...text.matchAll(field)].map(([, time]) => Date.parse(time ?? ""));
  const known = times.filter(Number.isFinite);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}

export function stripBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The engine's message quotes the content, which must not appear in a diagnostic. */
function shortReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/unexpected end|unterminated/i.test(message)) return "it is cut off";
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? "it is not JSON" : `it is not JSON (at character ${position})`;
}
