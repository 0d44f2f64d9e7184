import { plainText } from "./plain-text.ts";

/** One line of a table for spreadsheets (RFC 4180); texts have gone through `csvText`. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

/** A spreadsheet takes a cell that begins like this for a formula, and would run it. */
const FORMULA = /^[\s\u00a0\ufeff]*[=+\-@＝＋－＠|%\t\r]/;

/** Untrusted text as a cell. */
export function csvText(value: string): string {
  const text = plainText(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
