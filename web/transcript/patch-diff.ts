import type { DiffLine } from "./diff-lines.ts";

/** A line that is unlikely to occur in many places. */
const TELLING = /\w/;
/** This many telling lines in a row are taken to be the same place. */
const SURE = 3;

type Line = Pick<DiffLine, "kind" | "text" | "step">;

/**
 * Combines patches that locate their places by content, without line numbers. What is known of the
 * file are the lines in the patches: each hunk either lies within lines that are already known, or
 * adds a part whose position is unknown.
 */
export class PatchedParts {
  #parts: Line[][] = [];
  /** All lines of the file are known, in a single part. */
  #isWhole = false;

  replace(texts: readonly string[], step: number): void {
    this.#parts = [texts.map((text) => ({ kind: "added", text, step }))];
    this.#isWhole = true;
  }

  /** Returns false if a hunk does not fit, or fits in several places. */
  apply(lines: readonly DiffLine[], step: number): boolean {
    return hunksOf(lines, step).every((hunk) => this.#applyHunk(hunk));
  }

  #applyHunk(hunk: readonly Line[]): boolean {
    const before = hunk.filter(({ kind }) => kind !== "added").map(({ text }) => text);
    // Without a line around it, the position of an added line is unknown.
    if (before.length === 0) return false;
    const places = this.#parts.flatMap((part) => placesIn(part, before));
    const [place, ...others] = places.length > 0 ? places : this.#extended(before);
    if (place) return others.length === 0 && splice(place, hunk);
    if (this.#isWhole || mayTouch(this.#parts.flat(), hunk)) return false;
    this.#parts.push([...hunk]);
    return true;
  }

  /** A hunk may begin or end in a known part and reach out of it. */
  #extended(before: readonly string[]): PlaceInPart[] {
    if (this.#isWhole) return [];
    const parts = this.#parts.flatMap((part) => extensionsOf(part, before));
    const [extended, ...others] = parts;
    if (!extended || others.length > 0) return [];
    const { part, longer, fresh } = extended;
    const rest = this.#parts.filter((item) => item !== part).flat();
    if (fresh.some((text) => rest.some((line) => line.text === text && TELLING.test(text))))
      return [];
    part.splice(0, part.length, ...longer);
    return placesIn(part, before);
  }

  diff(): DiffLine[] {
    const parts = this.#parts.map(withoutUndone);
    const changed = parts.filter((part) => part.some(({ kind }) => kind !== "same"));
    if (this.#isWhole) return changed.flat().map((line, at) => ({ ...line, newLine: at + 1 }));
    return changed.flatMap((part) => [{ kind: "place", text: "…" } as const, ...part]);
  }
}

/** Whether a hunk that fits no known part may still touch one. */
function mayTouch(known: readonly Line[], hunk: readonly Line[]): boolean {
  return hunk.some(({ kind, text }) => {
    if (kind === "added") return false;
    const isTelling = kind === "removed" || TELLING.test(text);
    return isTelling && known.some((line) => line.kind !== "removed" && line.text === text);
  });
}

interface Extension {
  part: Line[];
  longer: Line[];
  /** The lines that were not known before. */
  fresh: string[];
}

/** The ways to continue a part, after its end or before its start, by lines that overlap it. */
function extensionsOf(part: Line[], texts: readonly string[]): Extension[] {
  const now = part.filter(({ kind }) => kind !== "removed");
  const same = (fresh: readonly string[]): Line[] => {
    return fresh.map((text) => ({ kind: "same", text }));
  };
  const isAlike = (lines: readonly Line[], others: readonly string[]): boolean => {
    const telling = lines.filter(({ text }) => TELLING.test(text));
    const isSure = telling.length >= SURE || telling.some(({ kind }) => kind === "added");
    return isSure && lines.every(({ text }, at) => text === others[at]);
  };
  const most = Math.min(now.length, texts.length - 1);
  return Array.from({ length: most }, (_, at) => at + 1).flatMap((count) => {
    const after = texts.slice(count);
    const before = texts.slice(0, -count);
    return [
      ...(isAlike(now.slice(-count), texts)
        ? [{ part, longer: [...part, ...same(after)], fresh: after }]
        : []),
      ...(isAlike(now.slice(0, count), texts.slice(-count))
        ? [{ part, longer: [...same(before), ...part], fresh: before }]
        : []),
    ];
  });
}

function hunksOf(lines: readonly DiffLine[], step: number): Line[][] {
  const hunks: Line[][] = [[]];
  for (const { kind, text } of lines) {
    if (kind === "place") hunks.push([]);
    else hunks.at(-1)?.push(kind === "same" ? { kind, text } : { kind, text, step });
  }
  return hunks.filter(({ length }) => length > 0);
}

interface PlaceInPart {
  part: Line[];
  /** Indexes of the lines that the hunk expects. */
  indexes: number[];
}

/** All places where these lines follow one another in the text as it is now. */
function placesIn(part: Line[], texts: readonly string[]): PlaceInPart[] {
  const now = part.flatMap(({ kind }, index) => (kind === "removed" ? [] : [index]));
  return now.flatMap((_, at) => {
    const indexes = now.slice(at, at + texts.length);
    const isHere = texts.every((text, line) => part[indexes[line] ?? -1]?.text === text);
    return isHere ? [{ part, indexes }] : [];
  });
}

/** Applies a hunk to the lines that it expects. */
function splice({ part, indexes }: PlaceInPart, hunk: readonly Line[]): true {
  const [first = 0] = indexes;
  const last = indexes.at(-1) ?? first;
  const old = part.slice(first, last + 1);
  const next: Line[] = [];
  const passRemoved = (): void => {
    while (old[0]?.kind === "removed") next.push(...old.splice(0, 1));
  };
  for (const line of hunk) {
    passRemoved();
    if (line.kind === "added") {
      next.push(line);
      continue;
    }
    const [met] = old.splice(0, 1);
    if (!met) continue;
    if (line.kind === "same") next.push(met);
    // A line that was added before and is removed now was never there.
    else if (met.kind === "same") next.push(line);
  }
  part.splice(first, last + 1 - first, ...next, ...old);
  return true;
}

/** Lines that were removed and added again are unchanged. */
function withoutUndone(part: readonly Line[]): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < part.length;) {
    const end = part.findIndex(({ kind }, index) => index >= at && kind === "same");
    const run = part.slice(at, end === -1 ? undefined : end);
    lines.push(...settledRun(run), ...part.slice(at + run.length, at + run.length + 1));
    at += run.length + 1;
  }
  return lines;
}

function settledRun(run: readonly Line[]): Line[] {
  const removed = run.filter(({ kind }) => kind === "removed");
  const added = run.filter(({ kind }) => kind === "added");
  let head = 0;
  while (head < removed.length && removed[head]?.text === added[head]?.text) head += 1;
  let tail = 0;
  const most = Math.min(removed.length, added.length) - head;
  while (tail < most && removed.at(-1 - tail)?.text === added.at(-1 - tail)?.text) tail += 1;
  const same = (lines: readonly Line[]): Line[] => {
    return lines.map(({ text }) => ({ kind: "same", text }));
  };
  return [
    ...same(removed.slice(0, head)),
    ...removed.slice(head, removed.length - tail),
    ...added.slice(head, added.length - tail),
    ...same(removed.slice(removed.length - tail)),
  ];
}
