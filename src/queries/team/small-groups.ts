/** A table cell: its keys, and the people it counts. */
export interface Cell {
  keys: readonly string[];
  people: ReadonlySet<number>;
}

/**
 * Decides which cells of a table to hide, so that subtracting sums never reveals what fewer than
 * `smallest` people did.
 *
 * The reader also has the table in every coarser form: grouped by some of its keys, and as one sum.
 * So in each form, cells with too few people are hidden. Wherever the sum of a line is visible
 * (some keys fixed), the sum minus the visible cells reveals the hidden ones together; so the next
 * smallest cells of the line are hidden, too, until the hidden cells have enough people. A cell
 * hidden in a coarser form has no visible part in a finer one.
 */
export class HiddenCells {
  readonly #hidden = new Map<number, ReadonlySet<string>>();
  readonly #smallest: number;

  constructor(cells: readonly Cell[], smallest: number) {
    this.#smallest = smallest;
    if (smallest <= 1) return;
    const width = cells[0]?.keys.length ?? 0;
    const forms = Array.from({ length: 2 ** width }, (_, form) => form);
    for (const form of forms.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
      this.#hidden.set(form, this.#hide(form, tableOf(cells, form)));
    }
  }

  /** Whether the sum of all cells with these keys is hidden; for all keys or some of them. */
  has(keys: readonly string[], places: readonly number[] = [...keys.keys()]): boolean {
    const form = places.reduce((sum, place) => sum | (1 << place), 0);
    return this.#hidden.get(form)?.has(part(keys, form)) === true;
  }

  #hide(form: number, table: readonly Cell[]): Set<string> {
    const isHidden = ({ keys, people }: Cell): boolean => {
      const isSmall = people.size < this.#smallest;
      return (
        isSmall || coarser(form).some((other) => this.#hidden.get(other)?.has(part(keys, other)))
      );
    };
    const hidden = new Set(table.filter(isHidden).map(({ keys }) => part(keys, form)));
    const lines = coarser(form).flatMap((other) => linesOf(table, other));
    let before: number;
    do {
      before = hidden.size;
      for (const line of lines) this.#join(line, hidden, form);
    } while (hidden.size > before);
    return hidden;
  }

  /** Hides the next smallest cells of a line until the hidden ones have enough people. */
  #join(line: readonly Cell[], hidden: Set<string>, form: number): void {
    const together = new Set<number>();
    const rest: Cell[] = [];
    for (const cell of line) {
      if (!hidden.has(part(cell.keys, form))) rest.push(cell);
      else for (const person of cell.people) together.add(person);
    }
    if (rest.length === line.length) return;
    for (const { keys, people } of rest) {
      if (together.size >= this.#smallest) return;
      hidden.add(part(keys, form));
      for (const person of people) together.add(person);
    }
  }
}

function sizeOf(form: number): number {
  return form.toString(2).replaceAll("0", "").length;
}

/** All forms with a subset of the keys. */
function coarser(form: number): number[] {
  return Array.from({ length: form }, (_, other) => other).filter(
    (other) => (other & form) === other,
  );
}

/** The keys that belong to a form. */
function part(keys: readonly string[], form: number): string {
  return JSON.stringify(keys.filter((_, place) => form & (1 << place)));
}

/** Groups cells by the keys of a form, smallest first; the other keys are those of any member. */
function tableOf(cells: readonly Cell[], form: number): Cell[] {
  const table = new Map<string, { keys: readonly string[]; people: Set<number> }>();
  for (const { keys, people } of cells) {
    const name = part(keys, form);
    const cell = table.get(name) ?? { keys, people: new Set<number>() };
    for (const person of people) cell.people.add(person);
    table.set(name, cell);
  }
  return [...table.entries()]
    .toSorted(([a, one], [b, other]) => one.people.size - other.people.size || (a < b ? -1 : 1))
    .map(([, cell]) => cell);
}

function linesOf(table: readonly Cell[], form: number): Cell[][] {
  const lines = new Map<string, Cell[]>();
  for (const cell of table) {
    const name = part(cell.keys, form);
    const line = lines.get(name);
    if (line) line.push(cell);
    else lines.set(name, [cell]);
  }
  return [...lines.values()];
}
