import type { UsageReport, UsageRow } from "../queries/usage/usage.ts";
import { csvLine, csvText } from "./csv-cells.ts";

/** A second cost column in another currency. */
export interface CsvCurrency {
  code: string;
  /** Converts micro-dollars to a plain decimal number. */
  decimal(micro: number): string;
}

const COUNTS = [
  ["input_tokens", "input"],
  ["fresh_tokens", "fresh"],
  ["cached_tokens", "cached"],
  ["cache_write_tokens", "cacheWrite"],
  ["output_tokens", "output"],
  ["thoughts_tokens", "thoughts"],
  ["tool_tokens", "tool"],
  ["total_tokens", "total"],
] as const;

/** A usage report as CSV: only the innermost rows and no totals, so that columns can be summed. */
export function* usageCsv(report: UsageReport, currency?: CsvCurrency): Generator<string> {
  const groupings = report.by.split(",");
  const { rows, others } = report;
  const all = others ? [...rows, others] : rows;
  const hasLabels = all.some((row) =>
    [row, ...(row.rows ?? [])].some(({ label }) => label !== null),
  );
  yield csvLine([
    ...groupings,
    ...(hasLabels ? ["name"] : []),
    "sessions",
    "requests",
    ...COUNTS.map(([name]) => name),
    "web_searches",
    "cost_usd",
    ...(currency ? [`cost_${currency.code.toLowerCase()}`] : []),
    "unpriced_requests",
  ]);
  for (const row of all) {
    for (const { keys, leaf } of leavesOf(row, groupings.length)) {
      const label = hasLabels ? [csvText(leaf.label ?? row.label ?? "")] : [];
      yield csvLine([...keys.map(csvText), ...label, ...figures(leaf, currency)]);
    }
  }
}

function leavesOf(row: UsageRow, levels: number): { keys: string[]; leaf: UsageRow }[] {
  if (levels === 1) return [{ keys: [row.key], leaf: row }];
  if (!row.rows) return [{ keys: [row.key, ""], leaf: row }];
  return row.rows.map((leaf) => ({ keys: [row.key, leaf.key], leaf }));
}

function figures(row: UsageRow, currency: CsvCurrency | undefined): string[] {
  const { costMicroUsd: micro } = row;
  const other = currency ? [micro === null ? "" : currency.decimal(micro)] : [];
  return [
    String(row.sessions),
    String(row.requests),
    // Unknown counts are empty.
    ...COUNTS.map(([, field]) => String(row.tokens[field] ?? "")),
    String(row.webSearches ?? ""),
    micro === null ? "" : dollars(micro),
    ...other,
    String(row.unpricedRequests),
  ];
}

/** Writes micro-dollars as dollars without rounding. */
function dollars(micro: number): string {
  const digits = String(micro).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
