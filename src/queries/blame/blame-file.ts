import { diffArrays } from "diff";
import type { EditedPart } from "../../core/session/file-edit.ts";

/** A line of the file, in its current version or in an earlier one. */
interface Line<Owner> {
  text: string;
  owner?: Owner;
  /** The earliest edit that wrote the whole file with this line, where the old text is unknown. */
  rewriter?: Owner;
}

/** Texts that differ by more lines than this are not compared. */
const MAX_DIFFERENCE = 5000;

/**
 * Finds which edit wrote each line of a file, by undoing recorded edits from the last to the first.
 * Changes made by people or commands in between are not recorded. So an edit is undone where its
 * text is still present; elsewhere it gets only lines that occur exactly once in both texts.
 */
export class BlamedFile<Owner> {
  readonly #now: readonly Line<Owner>[];
  #lines: Line<Owner>[];

  constructor(text: string) {
    this.#now = linesOf(text).map((line) => ({ text: line }));
    this.#lines = [...this.#now];
  }

  /** The owner of each current line; `undefined` where no edit explains it. */
  owners(): (Owner | undefined)[] {
    return this.#now.map(({ owner, rewriter }) => owner ?? rewriter);
  }

  /** Undoes an edit, starting with its last part. */
  takeBack(parts: readonly EditedPart[], owner: Owner): void {
    for (const part of parts.toReversed()) {
      if (part.extent === "whole") this.#takeWhole(part, owner);
      else this.#takePart(part, owner);
    }
  }

  #takeWhole({ before, after }: EditedPart, owner: Owner): void {
    const pairs = aligned(linesOf(after), this.#lines);
    const stretch = { from: 0, to: this.#lines.length };
    if (before !== undefined) {
      this.#replace(stretch, { before: linesOf(before), after: linesOf(after), pairs, owner });
      return;
    }
    // The text that was overwritten is not recorded; earlier edits may still explain its lines.
    this.#lines = [...pairs.values()];
    for (const line of this.#lines) line.rewriter = owner;
  }

  #takePart(part: EditedPart, owner: Owner): void {
    const { after, times = 1 } = part;
    const places = this.#placesOf(after);
    const isFound = times === "all" ? places.length > 0 : places.length === times;
    // Both texts end with the same line feed.
    const before = after.endsWith("\n") ? part.before?.replace(/\n$/, "") : part.before;
    if (!isFound) return this.#takeSingleLines(part, owner);
    for (const place of places.toReversed()) {
      const old = place.head + (before ?? "") + place.tail;
      const stretch = this.#lines.slice(place.from, place.to);
      const fresh = stretch.map(({ text }) => text);
      const pairs = new Map(stretch.map((line, at) => [at, line]));
      this.#replace(place, { before: old.split("\n"), after: fresh, pairs, owner });
    }
    return undefined;
  }

  /** Where a text occurs: its range of lines, and the rest of the first and last of them. */
  #placesOf(text: string): { from: number; to: number; head: string; tail: string }[] {
    if (text.trim() === "") return [];
    const whole = this.#lines.map((line) => line.text).join("\n");
    const wanted = text.replace(/\r/g, "").replace(/\n$/, "");
    const places = [];
    for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1)) {
      const from = whole.slice(0, at).split("\n").length - 1;
      const to = from + wanted.split("\n").length;
      const start = whole.lastIndexOf("\n", at - 1) + 1;
      const end = whole.indexOf("\n", at + wanted.length);
      const tail = whole.slice(at + wanted.length, end === -1 ? undefined : end);
      places.push({ from, to, head: whole.slice(start, at), tail });
      if (places.length > MOST_PLACES) return [];
    }
    return places;
  }

  /** Assigns lines that the edit added to its owner; lines it kept were there before. */
  #replace(
    { from, to }: { from: number; to: number },
    change: {
      before: readonly string[];
      after: readonly string[];
      pairs: ReadonlyMap<number, Line<Owner>>;
      owner: Owner;
    },
  ): void {
    const { before, after, pairs, owner } = change;
    const kept = keptLines(before, after);
    for (const [at, line] of pairs) if (!kept.has(at)) claim(line, owner);
    const earlier: Line<Owner>[] = before.map((text) => ({ text }));
    for (const [at, old] of kept) {
      const line = pairs.get(at);
      if (line) earlier[old] = line;
    }
    this.#lines = [...this.#lines.slice(0, from), ...earlier, ...this.#lines.slice(to)];
  }

  /**
   * The range was changed since, so only lines that occur exactly once in both texts are claimed.
   */
  #takeSingleLines({ before, after }: EditedPart, owner: Owner): void {
    const fresh = linesOf(after);
    const kept = keptLines(linesOf(before ?? ""), fresh);
    const brought = new Set(fresh.filter((_, at) => !kept.has(at)));
    const here = counts(this.#lines.map(({ text }) => text));
    const there = counts(fresh);
    const isSure = ({ text }: Line<Owner>): boolean =>
      brought.has(text) &&
      here.get(text) === 1 &&
      there.get(text) === 1 &&
      text.trim().length >= LEAST_SURE;
    for (const line of this.#lines.filter(isSure)) claim(line, owner);
    this.#lines = this.#lines.filter((line) => !isSure(line));
  }
}

/** Shorter lines (`}`, `else`) occur everywhere. */
const LEAST_SURE = 6;
const MOST_PLACES = 1000;

function claim<Owner>(line: Line<Owner>, owner: Owner): void {
  line.owner ??= owner;
}

/** Strips line endings, so that lines that differ only in them are equal. */
function linesOf(text: string): string[] {
  const lines = text.replace(/\r/g, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function counts(texts: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return found;
}

/** Line numbers of unchanged lines: new text → old text. */
function keptLines(before: readonly string[], after: readonly string[]): Map<number, number> {
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_DIFFERENCE }) ?? [];
  const kept = new Map<number, number>();
  let [old, fresh] = [0, 0];
  for (const { count, added, removed } of parts) {
    if (added) fresh += count;
    else if (removed) old += count;
    else for (let at = 0; at < count; at += 1) kept.set(fresh++, old++);
  }
  return kept;
}

/** Lines of a text that are still in the file: line number in the text → line. */
function aligned<Owner>(
  texts: readonly string[],
  lines: readonly Line<Owner>[],
): Map<number, Line<Owner>> {
  const kept = keptLines(
    texts,
    lines.map(({ text }) => text),
  );
  return new Map(
    [...kept].flatMap(([at, of]) => {
      const line = lines[at];
      return line ? [[of, line] as const] : [];
    }),
  );
}
