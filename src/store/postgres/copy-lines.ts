import { toStored } from "./stored-text.ts";

export type CopyValue = string | number | boolean | bigint | readonly string[] | null | undefined;

const SPECIAL = /[\\\b\f\n\r\t\v]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** A row in the text format of COPY. */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(fieldOf).join("\t")}\n`;
}

function fieldOf(value: CopyValue): string {
  if (value === null || value === undefined) return "\\N";
  if (typeof value === "string") return escape(toStored(value));
  if (typeof value === "object") return escape(arrayOf(value));
  return String(value);
}

function escape(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPES[character] ?? character);
}

function arrayOf(items: readonly string[]): string {
  const quoted = items.map((item) => `"${toStored(item).replace(/["\\]/g, "\\$&")}"`);
  return `{${quoted.join(",")}}`;
}
