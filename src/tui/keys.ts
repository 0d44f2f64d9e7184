import type { Key as RawKey } from "node:readline";

/** A pressed key: `up`, `enter`, `ctrl-c`, or the character itself. */
export interface Key {
  name: string;
  /** The typed text; empty for control keys. */
  text: string;
}

const NAMES: Readonly<Record<string, string>> = { return: "enter", linefeed: "enter" };

/** Converts a key from Node's decoder to the names used by the screens. */
export function keyOf(text: string | undefined, raw: RawKey): Key {
  const { name = "", ctrl = false, meta = false, shift = false } = raw;
  if (ctrl) return { name: `ctrl-${name}`, text: "" };
  if (name === "tab" && shift) return { name: "backtab", text: "" };
  const isTyped = text !== undefined && !meta && !/^\p{C}*$/u.test(text);
  if (isTyped) return { name: text, text };
  return { name: NAMES[name] ?? name, text: "" };
}

/** How far a key moves in a list with `rows` visible rows; undefined for other keys. */
export function stepOf({ name }: Key, rows: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: 1 - rows,
    pagedown: rows - 1,
    home: -Infinity,
    g: -Infinity,
    end: Infinity,
    G: Infinity,
  };
  return steps[name];
}

/** The text after Backspace. */
export function withoutLast(text: string): string {
  return text.replace(/(?:\P{M}\p{M}*|\p{M}+)$/u, "");
}
