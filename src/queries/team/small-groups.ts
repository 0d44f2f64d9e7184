import { compareTexts } from "../../core/lists.ts";
import type { KnownSum } from "./revealed.ts";
import { revealed } from "./revealed.ts";

/** Usage of some people: for each key of a table, the groups it is in. People may be in several. */
export interface Part {
  keys: readonly (readonly string[])[];
  people: ReadonlySet<number>;
}

interface Cell {
  name: string;
  parts: number[];
  people: Set<number>;
}

/** A table by some of the keys, as a bit for each key. */
type Form = number;

/**
 * Decides which cells of a table to hide, so that no computation with its sums reveals what fewer
 * than `smallest` people did.
 *
 * The reader also has the table in every coarser form: grouped by some of its keys, and as one sum.
 * So in each form, cells with too few people are hidden, and so are cells of which a coarser form
 * hides the sum. If the sums that are left reveal too few people, the smallest of them that is
 * needed for that is hidden, too, until they do not. What a form shows depends only on itself and
 * on coarser forms, so it is the same in every table.
 */
export class HiddenCells {
  readonly #parts: readonly Part[];
  readonly #smallest: number;
  readonly #hidden = new Map<Form, ReadonlySet<string>>();
  readonly #shown = new Map<Form, readonly Cell[]>();
  /** All sums that a reader has of a form, as the parts that they add up. */
  readonly #published = new Map<Form, readonly (readonly number[])[]>();

  /** `within`: keys that are parts of another key, and never asked without it (finer, coarser). */
  constructor(
    parts: readonly Part[],
    { smallest, within = [] }: { smallest: number; within?: readonly (readonly number[])[] },
  ) {
    this.#parts = parts;
    this.#smallest = smallest;
    if (smallest <= 1) return;
    const width = parts[0]?.keys.length ?? 0;
    const isAsked = (form: Form): boolean => {
      return within.every(([finer = 0, coarser = 0]) => !has(form, finer) || has(form, coarser));
    };
    const forms = Array.from({ length: 2 ** width }, (_, form) => form).filter(isAsked);
    for (const form of forms.toSorted((a, b) => sizeOf(a) - sizeOf(b))) this.#decide(form);
  }

  /** Whether the sum of all cells with these keys is hidden; for all keys or some of them. */
  has(keys: readonly string[], places: readonly number[] = [...keys.keys()]): boolean {
    const form = places.reduce((sum, place) => sum | (1 << place), 0);
    return this.#hidden.get(form)?.has(nameOf(keys, form)) === true;
  }

  #decide(form: Form): void {
    const coarser = [...this.#hidden.keys()].filter((other) => (other & form) === other);
    const cells = cellsOf(this.#parts, form);
    const isHidden = ({ name, people }: Cell): boolean => {
      const keys = keysIn(name, form);
      const isPartOfHidden = coarser.some((other) => {
        return this.#hidden.get(other)?.has(nameOf(keys, other)) === true;
      });
      return people.size < this.#smallest || isPartOfHidden;
    };
    const hidden = new Set(cells.filter(isHidden).map(({ name }) => name));
    const whole = coarser.flatMap((other) => this.#shown.get(other) ?? []);
    const known = coarser.flatMap((other) => this.#published.get(other) ?? []);
    const people = this.#parts.map((part) => part.people);
    for (;;) {
      const shown = cells.filter(({ name }) => !hidden.has(name));
      const published = publishedBy(shown, whole);
      const before = known.map((parts) => ({ parts, from: [] }));
      const found = revealed([...published, ...before], people, this.#smallest);
      // Cells are sorted by size, so the smallest number is the smallest cell.
      const smallest = found.filter(({ size }) => size > 0).map((from) => Math.min(...from));
      for (const number of smallest) hidden.add(shown[number]?.name ?? "");
      if (smallest.length > 0) continue;
      this.#hidden.set(form, hidden);
      this.#shown.set(form, shown);
      this.#published.set(
        form,
        published.map(({ parts }) => parts),
      );
      return;
    }
  }
}

/**
 * What a form publishes: its shown cells, and the rest of each coarser sum without them, which is
 * published as small groups.
 */
function publishedBy(shown: readonly Cell[], whole: readonly Cell[]): KnownSum[] {
  const covering = new Map<number, number[]>();
  for (const [number, { parts }] of shown.entries()) {
    for (const part of parts) covering.set(part, [...(covering.get(part) ?? []), number]);
  }
  const rests = whole.map(({ parts }) => {
    const from = [...new Set(parts.flatMap((part) => covering.get(part) ?? []))];
    return { parts: parts.filter((part) => !covering.has(part)), from };
  });
  return [
    ...shown.map(({ parts }, number) => ({ parts, from: [number] })),
    ...rests.filter(({ parts, from }) => parts.length > 0 && from.length > 0),
  ];
}

function has(form: Form, place: number): boolean {
  return (form & (1 << place)) !== 0;
}

function sizeOf(form: Form): number {
  return form.toString(2).replaceAll("0", "").length;
}

/** The keys that belong to a form. */
function nameOf(keys: readonly string[], form: Form): string {
  return JSON.stringify(keys.filter((_, place) => has(form, place)));
}

/** The keys of a cell in their places; other places are empty. */
function keysIn(name: string, form: Form): string[] {
  const keys = JSON.parse(name) as string[];
  const places = Array.from({ length: 32 - Math.clz32(form) }, (_, place) => place);
  let next = 0;
  return places.map((place) => (has(form, place) ? (keys[next++] ?? "") : ""));
}

/** The cells of a form, smallest first. */
function cellsOf(parts: readonly Part[], form: Form): Cell[] {
  const cells = new Map<string, Cell>();
  for (const [number, { keys, people }] of parts.entries()) {
    for (const own of combinations(keys.filter((_, place) => has(form, place)))) {
      const name = JSON.stringify(own);
      const cell = cells.get(name) ?? { name, parts: [], people: new Set() };
      cell.parts.push(number);
      for (const person of people) cell.people.add(person);
      cells.set(name, cell);
    }
  }
  return [...cells.values()].toSorted((a, b) => {
    return a.people.size - b.people.size || compareTexts(a.name, b.name);
  });
}

/** Every way to take one of each list. */
export function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>(
    (taken, list) => taken.flatMap((some) => list.map((item) => [...some, item])),
    [[]],
  );
}
