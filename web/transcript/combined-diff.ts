import type { DiffLine } from "./diff-lines.ts";
import { PatchedParts } from "./patch-diff.ts";

/**
 * `whole`: the new text of the file; `numbered`: a diff with line numbers; `patch`: whole lines
 * without numbers; `loose`: a replaced text, which may begin or end within a line.
 */
export type ChangeForm = "whole" | "numbered" | "patch" | "loose";

/** A text that was replaced by another one. */
export interface Exchange {
  before: string;
  after: string;
  /** `each`: wherever it occurred. */
  where: "once" | "each";
}

export interface CombinableStep {
  lines: readonly DiffLine[] | undefined;
  form: ChangeForm;
  /** Of a loose change, in order. */
  exchanges?: readonly Exchange[];
}

export interface Combined {
  lines: DiffLine[];
  /** The earlier content is not recorded, so everything is shown as added. */
  isBaseUnknown: boolean;
}

/** A range of lines of the original file, starting at `base`, or one added line. */
type Piece = { base: number; count: number } | { text: string; step: number };

const CONTEXT = 3;

/** The rest of the file, whose length is unknown. */
const ENDLESS = Number.MAX_SAFE_INTEGER / 2;

/**
 * Combines several changes of a file into one diff. The text itself need not be known: diffs have
 * line numbers, and lines outside them are unchanged. Returns undefined if the diffs do not fit
 * together, because the file was changed in between.
 */
export function combine(steps: readonly CombinableStep[]): Combined | undefined {
  if (steps.some(({ form }) => form === "patch")) return combinePatches(steps);
  const file = new SparseFile();
  for (const [step, change] of steps.entries()) {
    if (!applied(file, change, step)) return undefined;
  }
  return { lines: file.diff(), isBaseUnknown: file.isBaseUnknown };
}

function applied(
  file: SparseFile,
  { lines, form, exchanges = [] }: CombinableStep,
  step: number,
): boolean {
  if (!lines) return false;
  if (form === "numbered") return file.apply(lines, step);
  if (form === "loose") return exchanges.every((exchange) => file.exchange(exchange, step));
  file.replace(
    lines.map(({ text }) => text),
    step,
  );
  return true;
}

function combinePatches(steps: readonly CombinableStep[]): Combined | undefined {
  const file = new PatchedParts();
  let isBaseUnknown = false;
  for (const [step, { lines, form }] of steps.entries()) {
    if (!lines || form === "loose" || form === "numbered") return undefined;
    if (form === "patch" && !file.apply(lines, step)) return undefined;
    if (form !== "whole") continue;
    file.replace(
      lines.map(({ text }) => text),
      step,
    );
    isBaseUnknown = true;
  }
  return { lines: file.diff(), isBaseUnknown };
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

/** Number of lines of the new text before a hunk. */
function beginOf(text: string): number | undefined {
  const [, line, count] = HUNK.exec(text) ?? [];
  if (line === undefined) return undefined;
  // For an empty hunk, the line before it is given.
  return count === "0" ? Number(line) : Number(line) - 1;
}

class SparseFile {
  #pieces: Piece[] = [{ base: 1, count: ENDLESS }];
  /** Lines of the original text, as far as diffs contain them. */
  readonly #base = new Map<number, string>();
  /** Removed lines of the original text, with the step that removed them. */
  readonly #removed = new Map<number, number>();
  isBaseUnknown = false;

  replace(texts: readonly string[], step: number): void {
    this.isBaseUnknown ||= this.#pieces.some((piece) => "base" in piece);
    this.#pieces = texts.map((text) => ({ text, step }));
  }

  /**
   * Replaces a text wherever it is in the file. Returns false unless all of the file is known, or
   * if the text is not where it should be.
   */
  exchange({ before, after, where }: Exchange, step: number): boolean {
    const known = this.#pieces.flatMap((piece) => ("text" in piece ? [piece] : []));
    if (known.length < this.#pieces.length || before === "") return false;
    // A recorded text may include the line break at the end of the file.
    const whole = known.map(({ text }) => `${text}\n`).join("");
    const parts = whole.split(before);
    if (parts.length < 2 || (where === "once" && parts.length > 2)) return false;
    const text = parts.join(after);
    // Without the last line break it would not be known what follows.
    if (text !== "" && !text.endsWith("\n")) return false;
    const texts = text === "" ? [] : text.replace(/\n$/, "").split("\n");
    const head = texts.findIndex((line, at) => line !== known[at]?.text);
    const begin = head === -1 ? texts.length : head;
    const most = Math.min(texts.length, known.length) - begin;
    let tail = 0;
    while (tail < most && texts.at(-1 - tail) === known.at(-1 - tail)?.text) tail += 1;
    const fresh = texts.slice(begin, texts.length - tail).map((line) => ({ text: line, step }));
    this.#pieces = [...known.slice(0, begin), ...fresh, ...known.slice(known.length - tail)];
    return true;
  }

  apply(lines: readonly DiffLine[], step: number): boolean {
    let at = 0;
    for (const line of lines) {
      const { kind, text, oldLine, newLine } = line;
      if (kind === "place") {
        at = beginOf(text) ?? at;
        continue;
      }
      // Up to here the file already matches the new text, so the new line number is the position.
      if (newLine !== undefined) at = newLine - 1;
      else if (oldLine === undefined) return false;
      if (kind === "added") this.#pieces.splice(this.#cut(at), 0, { text, step });
      else if (!this.#meet(at, line, step)) return false;
      if (kind !== "removed") at += 1;
    }
    return true;
  }

  /** Checks that the line is what the diff says. */
  #meet(at: number, { text, kind }: DiffLine, step: number): boolean {
    const index = this.#cut(at);
    this.#cut(at + 1);
    const piece = this.#pieces[index];
    if (!piece) return false;
    if ("base" in piece) {
      if ((this.#base.get(piece.base) ?? text) !== text) return false;
      this.#base.set(piece.base, text);
    } else if (piece.text !== text) return false;
    if (kind === "same") return true;
    if ("base" in piece) this.#removed.set(piece.base, step);
    this.#pieces.splice(index, 1);
    return true;
  }

  /** Index of the piece that begins at this line; splits a range if necessary. */
  #cut(line: number): number {
    let before = 0;
    for (const [index, piece] of this.#pieces.entries()) {
      const count = "base" in piece ? piece.count : 1;
      if (before === line) return index;
      if ("base" in piece && before + count > line) {
        const head = line - before;
        const tail = { base: piece.base + head, count: count - head };
        this.#pieces.splice(index, 1, { base: piece.base, count: head }, tail);
        return index + 1;
      }
      before += count;
    }
    return this.#pieces.length;
  }

  diff(): DiffLine[] {
    const lines: DiffLine[] = [];
    let oldLine = 1;
    let newLine = 1;
    const remove = (until: number): void => {
      for (; oldLine < until && this.#removed.has(oldLine); oldLine += 1) {
        const step = this.#removed.get(oldLine) ?? 0;
        lines.push({ kind: "removed", text: this.#base.get(oldLine) ?? "", oldLine, step });
      }
    };
    for (const piece of this.#pieces) {
      remove("base" in piece ? piece.base : ENDLESS);
      if ("base" in piece) {
        for (const [base, text] of this.#known(piece)) {
          const shift = base - piece.base;
          lines.push({ kind: "same", text, oldLine: base, newLine: newLine + shift });
        }
        oldLine = piece.base + piece.count;
        newLine += piece.count;
      } else {
        lines.push({ kind: "added", text: piece.text, newLine, step: piece.step });
        newLine += 1;
      }
    }
    remove(ENDLESS);
    return hunksOf(lines);
  }

  #known({ base, count }: { base: number; count: number }): [number, string][] {
    const known = [...this.#base].filter(([line]) => line >= base && line < base + count);
    return known.toSorted(([a], [b]) => a - b);
  }
}

/** Changed lines with some context; gaps are marked with their position. */
function hunksOf(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, at) => {
    const near = lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1);
    return near.some(({ kind }) => kind !== "same");
  });
  const shown: DiffLine[] = [];
  let before: DiffLine | undefined;
  for (const line of lines.filter((_, at) => isNear[at])) {
    if (!follows(before, line)) shown.push({ kind: "place", text: placeOf(line) });
    shown.push(line);
    before = line;
  }
  return shown;
}

function follows(before: DiffLine | undefined, line: DiffLine): boolean {
  if (!before) return false;
  if (line.kind !== "same" || before.kind !== "same") {
    const isNext = (a?: number, b?: number) => a === undefined || b === undefined || a + 1 === b;
    return isNext(before.newLine, line.newLine) && isNext(before.oldLine, line.oldLine);
  }
  return before.newLine !== undefined && before.newLine + 1 === line.newLine;
}

function placeOf({ oldLine, newLine }: DiffLine): string {
  return `line ${newLine ?? oldLine}`;
}
