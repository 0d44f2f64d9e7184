import { plainText } from "./plain-text.ts";

/** One CSV line (RFC 4180). Pass texts through `csvText` first. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

/** Spreadsheets would run a cell that begins like this as a formula. */
const FORMULA = /^[\s\u00a0\ufeff]*[=+\-@＝＋－＠|%\t\r]/;

/** Escapes untrusted text for a cell. */
export function csvText(value: string): string {
  const text = plainText(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
