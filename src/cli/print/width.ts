import { addAll } from "../../core/lists.ts";
import stringWidth from "fast-string-width";
import type { Style } from "./style.ts";
import type { View } from "./view.ts";

let segmenter: Intl.Segmenter | undefined;

/** Created on first use: its tables are slow to load, and most output does not need them. */
function graphemes(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Plain characters take one column each, so no measuring is needed. */
const PLAIN = /^[ -~]*$/;

/** Width of a safe text in columns. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}

/** Cuts a text to a width, with an ellipsis. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const beginning = text.slice(0, Math.max(columns, 0));
  if (beginning !== "" && PLAIN.test(beginning)) return `${beginning.slice(0, -1).trimEnd()}…`;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns < 1 ? "" : `${kept.trimEnd()}…`;
}

export function pad(text: string, columns: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(columns - widthOf(text), 0));
  return align === "left" ? text + space : space + text;
}

/** Wraps a text; words longer than a line are broken. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.trimEnd(), Math.max(columns, 1)));
}

function wrapLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let current = "";
  // A word includes the spaces before it.
  for (const word of line.match(/ *[^ ]+/g) ?? []) {
    const joined = current + word;
    if (widthOf(joined) <= columns) {
      current = joined;
      continue;
    }
    if (current.trim() !== "") lines.push(current);
    const pieces = partWord(`${lines.length > 0 ? indent : ""}${word.trimStart()}`, columns);
    current = pieces.pop() ?? "";
    addAll(lines, pieces);
  }
  return [...lines, current];
}

function partWord(word: string, columns: number): string[] {
  if (widthOf(word) <= columns) return [word];
  const pieces: string[] = [];
  if (PLAIN.test(word)) {
    for (let at = 0; at < word.length; at += columns) pieces.push(word.slice(at, at + columns));
    return pieces;
  }
  let piece = "";
  let width = 0;
  for (const { segment } of graphemes(word)) {
    const wide = widthOf(segment);
    if (width + wide > columns && piece !== "") {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += segment;
    width += wide;
  }
  return [...pieces, piece];
}

/** A paragraph with a mark; further lines are aligned with the first word. */
export function marked(mark: string, text: string, columns: number): string[] {
  return wrap(text, columns - 2).map((line, at) => `${at === 0 ? mark : " "} ${line}`);
}

/** `archive    /home/…`: a name and its value, on one line. */
export function factLine(name: string, value: string, style: Style): string {
  return `${style.bold(name.padEnd(11))}${value}`;
}

const NAME_WIDTH = 14;

/**
 * `  project     /home/…`: a name and its value. Long words are not broken, so they can be copied.
 */
export function fieldLines(name: string, value: string, { columns, style }: View): string[] {
  const room = columns - NAME_WIDTH;
  const lines = value.split(" ").some((word) => widthOf(word) > room) ? [value] : wrap(value, room);
  return lines.map((line, at) => `  ${style.dim((at === 0 ? name : "").padEnd(10))}  ${line}`);
}
