import { compareTexts } from "../../core/lists.ts";
/** A sum that a reader knows: the parts that it adds up, by number. */
export interface KnownSum {
  parts: readonly number[];
  /** Numbers of the sums that could be hidden instead; those that this one was computed from. */
  from: readonly number[];
}

/** Arithmetic modulo a prime is exact, and products stay below 2^53. */
const PRIME = 67_108_859;

/** An equation: factors by unknown. Most are 0 and left out. */
type Factors = Map<number, number>;

interface Row {
  factors: Factors;
  from: Set<number>;
}

/**
 * Solves for the parts of known sums, as a reader could. Returns each solution about too few
 * people, as the numbers of the sums that could be hidden against it.
 */
export function revealed(
  sums: readonly KnownSum[],
  people: readonly ReadonlySet<number>[],
  smallest: number,
): Set<number>[] {
  const regions = regionsOf(sums, people);
  const isFew = (...some: number[]): boolean => {
    return new Set(some.flatMap((at) => [...(regions[at]?.people ?? [])])).size < smallest;
  };
  if (!regions.some((_, at) => isFew(at))) return [];
  const rows = rowsOf(sums, regions);
  const plain = rows
    .filter(({ factors }) => isFew(...factors.keys()))
    .map(({ from }) => new Set(from));
  const solved = reduce(rows);
  const found = solved.filter(({ free, pivot }) => isFew(pivot, ...free.map(({ at }) => at)));
  return [...plain, ...found.map(({ from }) => from), ...dependent(solved, regions, smallest)];
}

interface Region {
  people: Set<number>;
  sums: readonly number[];
}

/** Parts that the same sums contain cannot be distinguished: they are one unknown. */
function regionsOf(sums: readonly KnownSum[], people: readonly ReadonlySet<number>[]): Region[] {
  const containing: number[][] = people.map(() => []);
  for (const [number, { parts }] of sums.entries()) {
    for (const part of parts) containing[part]?.push(number);
  }
  const regions = new Map<string, Region>();
  for (const [part, inside] of containing.entries()) {
    if (inside.length === 0) continue;
    const name = inside.join();
    const region = regions.get(name) ?? { people: new Set(), sums: inside };
    for (const person of people[part] ?? []) region.people.add(person);
    regions.set(name, region);
  }
  // In an order that does not depend on the parts, because the answer depends on it.
  return [...regions].toSorted(([a], [b]) => compareTexts(a, b)).map(([, region]) => region);
}

/**
 * One row for each different sum. Regions that are known as a sum of their own are subtracted from
 * the others at once, because most are.
 */
function rowsOf(sums: readonly KnownSum[], regions: readonly Region[]): Row[] {
  const members: number[][] = sums.map(() => []);
  for (const [at, region] of regions.entries()) {
    for (const number of region.sums) members[number]?.push(at);
  }
  const alone = new Map<number, readonly number[]>();
  for (const [number, inside] of members.entries()) {
    const [only, ...others] = inside;
    if (only !== undefined && others.length === 0) alone.set(only, sums[number]?.from ?? []);
  }
  const rows = new Map<string, Row>();
  for (const [number, inside] of members.entries()) {
    const isAlone = inside.length === 1;
    const left = isAlone ? inside : inside.filter((at) => !alone.has(at));
    if (left.length === 0 || rows.has(left.join())) continue;
    const subtracted = isAlone ? [] : inside.flatMap((at) => alone.get(at) ?? []);
    rows.set(left.join(), {
      factors: new Map(left.map((at) => [at, 1])),
      from: new Set([...(sums[number]?.from ?? []), ...subtracted]),
    });
  }
  return [...rows.values()];
}

/** One unknown, expressed by others; without any, it is known. */
interface Solved {
  pivot: number;
  free: { at: number; factor: number }[];
  from: Set<number>;
}

/** Gauss-Jordan elimination; shortest rows first, so that they stay short. */
function reduce(rows: readonly Row[]): Solved[] {
  const using = new Map<number, Set<Row>>();
  for (const row of rows) {
    for (const at of row.factors.keys()) using.set(at, (using.get(at) ?? new Set()).add(row));
  }
  const left = new Set(rows);
  const done: { pivot: number; row: Row }[] = [];
  const uses = (at: number): number => using.get(at)?.size ?? 0;
  while (left.size > 0) {
    const row = [...left].reduce((a, b) => (b.factors.size < a.factors.size ? b : a));
    left.delete(row);
    const places = [...row.factors.keys()];
    const [first] = places;
    if (first === undefined) continue;
    const pivot = places.reduce((a, b) => (uses(b) < uses(a) ? b : a), first);
    scale(row.factors, inverse(row.factors.get(pivot) ?? 1));
    for (const other of using.get(pivot) ?? []) {
      if (other !== row) subtract(other, row, { pivot, using });
    }
    done.push({ pivot, row });
  }
  return done.map(({ pivot, row: { factors, from } }) => {
    const free = [...factors].filter(([at]) => at !== pivot);
    return { pivot, free: free.map(([at, factor]) => ({ at, factor })), from };
  });
}

function scale(factors: Factors, by: number): void {
  for (const [at, factor] of factors) factors.set(at, (factor * by) % PRIME);
}

function subtract(
  other: Row,
  { factors, from }: Row,
  { pivot, using }: { pivot: number; using: ReadonlyMap<number, Set<Row>> },
): void {
  const times = PRIME - (other.factors.get(pivot) ?? 0);
  for (const [at, factor] of factors) {
    const value = ((other.factors.get(at) ?? 0) + times * factor) % PRIME;
    if (value === 0) {
      other.factors.delete(at);
      using.get(at)?.delete(other);
    } else {
      other.factors.set(at, value);
      using.get(at)?.add(other);
    }
  }
  for (const number of from) other.from.add(number);
}

/** By Fermat's little theorem. */
function inverse(value: number): number {
  let [result, base] = [1, value];
  for (let rest = PRIME - 2; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
  }
  return result;
}

/** Above this many small regions, only those of the same people are looked at together. */
const MOST_PAIRED = 600;

/**
 * Finds sets of unknowns of too few people, for example all of one person or of two, of which some
 * combination is known: that is so if they depend linearly on one another.
 */
function dependent(
  solved: readonly Solved[],
  regions: readonly Region[],
  smallest: number,
): Set<number>[] {
  const rows = new Map(solved.map((row) => [row.pivot, row]));
  const small = regions.flatMap(({ people }, at) => {
    const row = rows.get(at);
    return people.size < smallest ? [{ people, row, vector: dependence(at, row) }] : [];
  });
  const others = small.length > MOST_PAIRED ? [] : small;
  const sets = new Map<string, Set<number>>();
  for (const [number, { people }] of small.entries()) {
    for (const other of [{ people }, ...others.slice(number + 1)]) {
      const both = new Set([...people, ...other.people]);
      if (both.size < smallest) sets.set([...both].toSorted((a, b) => a - b).join(), both);
    }
  }
  const having = new Map<number, typeof small>();
  for (const region of small) {
    for (const person of region.people) {
      having.set(person, [...(having.get(person) ?? []), region]);
    }
  }
  return [...sets.values()].flatMap((people) => {
    const near = new Set([...people].flatMap((person) => having.get(person) ?? []));
    const inside = [...near].filter((region) =>
      [...region.people].every((each) => people.has(each)),
    );
    if (isIndependent(inside.map(({ vector }) => vector))) return [];
    return [new Set(inside.flatMap(({ row }) => [...(row?.from ?? [])]))];
  });
}

/** An unknown in terms of those that are free. */
function dependence(at: number, row: Solved | undefined): Map<number, number> {
  if (!row) return new Map([[at, 1]]);
  return new Map(row.free.map(({ at: free, factor }) => [free, PRIME - factor]));
}

function isIndependent(all: readonly ReadonlyMap<number, number>[]): boolean {
  // What only one of them has, no other can cancel; that leaves hardly any.
  let vectors = all;
  let before: number;
  do {
    before = vectors.length;
    const rest = vectors;
    vectors = rest.filter((vector) => {
      const [first] = vector.keys();
      return first === undefined || rest.some((other) => other !== vector && other.has(first));
    });
  } while (vectors.length < before);
  const done: { at: number; vector: Map<number, number> }[] = [];
  for (const given of vectors) {
    const vector = new Map(given);
    for (const { at, vector: other } of done) {
      const factor = vector.get(at) ?? 0;
      for (const [place, value] of factor === 0 ? [] : other) {
        vector.set(place, ((vector.get(place) ?? 0) + (PRIME - factor) * value) % PRIME);
      }
    }
    const first = [...vector].find(([, value]) => value !== 0);
    if (!first) return false;
    const scaled = [...vector].map(([place, value]) => {
      return [place, (value * inverse(first[1])) % PRIME] as const;
    });
    done.push({ at: first[0], vector: new Map(scaled) });
  }
  return true;
}
