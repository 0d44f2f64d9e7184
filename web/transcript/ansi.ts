import { safeText } from "../safe-text.ts";

/** A run of text in one style. */
export interface Run {
  text: string;
  /** CSS classes: `f1` is red, `bold` is bold. */
  classes: string;
}

interface Pen {
  colour: number | undefined;
  isBold: boolean;
  isFaint: boolean;
}

const COLOURS = /\x1b\[([\d;:]*)m/g;
const MOST_RUNS = 20_000;

/**
 * The output of a program with its colours, but without other terminal commands:
 *
 *     \x1b[31mFAIL\x1b[0m total.test.ts   →   FAIL in red, the rest plain
 */
export function ansiRuns(output: string): Run[] {
  const text = overwritten(output);
  const runs: Run[] = [];
  let pen: Pen = { colour: undefined, isBold: false, isFaint: false };
  let at = 0;
  const add = (part: string): void => {
    const safe = safeText(part);
    if (safe !== "") runs.push({ text: safe, classes: classesOf(pen) });
  };
  for (const match of text.matchAll(COLOURS)) {
    if (runs.length >= MOST_RUNS) break;
    add(text.slice(at, match.index));
    pen = dip(pen, match[1] ?? "");
    at = match.index + match[0].length;
  }
  add(text.slice(at));
  return runs;
}

/** A progress bar overwrites its line; keep only the last state. */
function overwritten(text: string): string {
  const lines = text.replace(/\r+\n/g, "\n").split("\n");
  return lines.map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1)).join("\n");
}

function dip(pen: Pen, codes: string): Pen {
  let next = pen;
  const numbers = (codes === "" ? "0" : codes).split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    // `38;5;208` and `38;2;255;0;0` are not in our themes, so they stay plain.
    if (code === 38 || code === 48) at += numbers[at + 1] === 5 ? 2 : 4;
    else next = change(next, code);
  }
  return next;
}

function change(pen: Pen, code: number): Pen {
  if (code === 0) return { colour: undefined, isBold: false, isFaint: false };
  if (code === 1) return { ...pen, isBold: true };
  if (code === 2) return { ...pen, isFaint: true };
  if (code === 22) return { ...pen, isBold: false, isFaint: false };
  if (code === 39) return { ...pen, colour: undefined };
  if (code >= 30 && code <= 37) return { ...pen, colour: code - 30 };
  if (code >= 90 && code <= 97) return { ...pen, colour: code - 90 };
  return pen;
}

function classesOf({ colour, isBold, isFaint }: Pen): string {
  const names = [colour === undefined ? "" : `f${colour}`, isBold ? "bold" : ""];
  return [...names, isFaint ? "faint" : ""].filter((name) => name !== "").join(" ");
}
