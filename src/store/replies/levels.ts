import type { SessionRow } from "../../core/rows/session-rows.ts";
import type { Group } from "../../core/usage/usage-fact.ts";
import { UNKNOWN_GROUP } from "../../core/usage/usage-fact.ts";
import { generationsOf } from "../row-values.ts";
import type { BucketKey, BucketQuery } from "../store.ts";
import type { SessionReplies } from "./copies.ts";
import { columnAt } from "./table.ts";

/** One grouping of a part: maps a row's number (or its range's index) to a group. */
export interface Level {
  column: number | "range";
  /** Group number by the number in the column. */
  groupOf: readonly number[];
  register: Register;
}

/** Numbers the groups of one grouping; the numbers are the same in all parts. */
class Register {
  readonly groups: Group[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.groups.length);
    return this.groups.push({ key }) - 1;
  }
}

/** The requested groupings, one list per part. */
export function levelsOf(
  parts: readonly SessionReplies[],
  { by, ranges = [] }: BucketQuery,
): Level[][] {
  const registers = by.map(() => new Register());
  return parts.map((part) =>
    registers.map((register, at): Level => {
      const { column, keys } = keysOf(by[at] ?? "source", part, ranges.length);
      return { column, groupOf: keys.map((key) => register.numberOf(key)), register };
    }),
  );
}

interface Keys {
  column: Level["column"];
  /** Group key by the number in the column. */
  keys: string[];
}

function keysOf(key: BucketKey, { sessions, table }: SessionReplies, ranges: number): Keys {
  const bySession = (keyOf: (session: SessionRow) => string): Keys => {
    return { column: columnAt("session"), keys: sessions.map(keyOf) };
  };
  const byName = (column: "model" | "standing" | "root"): Keys => {
    const keys = [...table.names.keys()].map((name) => name ?? UNKNOWN_GROUP);
    return { column: columnAt(column), keys };
  };
  switch (key) {
    case "range":
      return { column: "range", keys: Array.from({ length: ranges }, (_, at) => String(at)) };
    case "model":
    case "standing":
    case "root":
      return byName(key);
    case "source":
    case "kind":
      return bySession(({ summary }) => summary[key]);
    case "session":
      return bySession(({ summary }) => `${summary.source}:${summary.id}`);
    case "generation":
      return bySession(generationsOf);
    case "project":
    case "status":
    case "tool":
    case "mcp":
    case "purpose":
      throw new RangeError(`A table of replies cannot be grouped by ${key}.`);
    default:
      return key satisfies never;
  }
}

interface InRow {
  numbers: Float64Array;
  at: number;
  range: number;
}

function groupAt({ column, groupOf }: Level, { numbers, at, range }: InRow): number {
  return groupOf[column === "range" ? range : (numbers[at + column] ?? 0)] ?? 0;
}

/** One number that identifies the combination of groups that a reply belongs to. */
export function pathAt(levels: readonly Level[], row: InRow): number {
  let path = 0;
  for (const level of levels) path = path * level.register.groups.length + groupAt(level, row);
  return path;
}

export function groupsAt(levels: readonly Level[], row: InRow): Group[] {
  return levels.flatMap((level) => level.register.groups[groupAt(level, row)] ?? []);
}
