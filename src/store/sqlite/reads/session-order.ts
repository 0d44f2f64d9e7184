import type { SessionSort } from "../../../core/filter/filter.ts";
import type { SessionSummary } from "../../../core/rows/summary.ts";
import { sortable } from "../../row-values.ts";
import type { Value } from "../driver.ts";
import { TITLE } from "./filters.ts";

/** Sort columns in ascending order, and their values for a session. */
interface Order {
  columns: readonly string[];
  valuesOf: (summary: SessionSummary) => (number | string)[];
}

export const NEWEST: readonly string[] = ["coalesce(-s.last_ms, 0)", "s.id", "s.source"];

function newestOf(summary: SessionSummary): (number | string)[] {
  const time = Date.parse(summary.updatedAt ?? summary.startedAt ?? "");
  return [Number.isNaN(time) ? 0 : -time, summary.id, summary.source];
}

/** Sort by the requested key, then newest first, then by id. */
export function orderBy(sort: SessionSort = "newest"): Order {
  const first = FIRST[sort];
  return {
    columns: [...first.columns, ...NEWEST],
    valuesOf: (summary) => [...first.valuesOf(summary), ...newestOf(summary)],
  };
}

const FIRST: Readonly<Record<SessionSort, Order>> = {
  newest: { columns: [], valuesOf: () => [] },
  started: {
    columns: ["CASE WHEN s.started_ms IS NULL THEN 1 ELSE 0 END", "coalesce(-s.started_ms, 0)"],
    valuesOf: ({ startedAt }) => {
      const started = Date.parse(startedAt ?? "");
      return Number.isNaN(started) ? [1, 0] : [0, -started];
    },
  },
  status: { columns: ["s.status"], valuesOf: ({ status }) => [status] },
  tokens: {
    columns: ["CASE WHEN s.tokens IS NULL THEN 1 ELSE 0 END", "coalesce(-s.tokens, 0)"],
    valuesOf: ({ tokens }) => (tokens.total === null ? [1, 0] : [0, -tokens.total]),
  },
  prompts: { columns: ["-s.prompts"], valuesOf: ({ prompts }) => [-prompts] },
  title: {
    columns: [`CASE WHEN ${TITLE} IS NULL THEN 1 ELSE 0 END`, `coalesce(${TITLE}, '')`],
    valuesOf: ({ title }) => (title === null ? [1, ""] : [0, sortable(title)]),
  },
  project: {
    columns: ["s.project_name_folded"],
    valuesOf: ({ project }) => [sortable(project.name)],
  },
};

/** Rows after a cursor: greater in one column and equal in all before it. */
export function behind(columns: readonly string[]): string {
  const cases = columns.map((column, at) => {
    const same = columns.slice(0, at).map((before) => `${before} = ? AND `);
    return `(${same.join("")}${column} > ?)`;
  });
  return `(${cases.join(" OR ")})`;
}

export function cursorValues(cursor: readonly Value[]): Value[] {
  return cursor.flatMap((_, at) => cursor.slice(0, at + 1));
}
