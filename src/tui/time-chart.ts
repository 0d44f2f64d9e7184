import { counted, shortNumber } from "../cli/print/figures.ts";
import type { UsageRow } from "../queries/usage/usage.ts";
import type { Board } from "./board.ts";
import { chartOf, rowOf, widthOf } from "./draw.ts";
import { shortKey } from "./periods.ts";
import type { Size } from "./terminal.ts";

const MOST_WIDE = 4;

/** The bars of the period; below them the range, or the figures of the selected bar. */
export function timeLines(board: Board, { columns, rows }: Size): string[] {
  const { style } = board.home;
  const report = board.time.value;
  if (!report) return [rowOf(columns, [["  reading …", (text) => style.dim(text)]])];
  const found = new Map(report.rows.map((row) => [row.key, row]));
  const hasPrices = (report.totals.costMicroUsd ?? 0) > 0;
  const weightOf = (key: string): number => {
    const row = found.get(key);
    return (hasPrices ? row?.costMicroUsd : row?.tokens.total) ?? 0;
  };
  const all = board.timeKeys;
  const room = columns - 2;
  const columnWidth = Math.max(1, Math.min(MOST_WIDE, Math.floor(room / Math.max(1, all.length))));
  const fits = Math.floor(room / columnWidth);
  // Show the newest bars, or those up to the selected one.
  const at = board.chosenTime;
  const start = Math.max(0, Math.min(all.length - fits, at - fits + 1));
  const keys = all.slice(start, start + fits);
  const chart = chartOf(keys.map(weightOf), { rows: Math.max(1, rows - 1), columnWidth });
  const ends = `${shortKey(keys[0] ?? "")} – ${shortKey(keys.at(-1) ?? "")}`;
  const most = Math.max(...keys.map(weightOf), 0);
  const height = hasPrices ? board.home.money.text(most) : `${shortNumber(most)} tokens`;
  const scale = most > 0 ? `${ends}, up to ${height}` : ends;
  const chosen = chosenText(board, found.get(all[at] ?? ""), all[at]);
  const mark = " ".repeat(Math.max(0, at - start) * columnWidth);
  const isLeft = mark.length + chosen.length + 2 <= room;
  const below = isLeft ? `${mark}^ ${chosen}` : `${chosen.padStart(mark.length - 1)} ^`;
  return [
    ...chart.map((line) => rowOf(columns, [["  "], [line, (text) => style.cyan(text)]])),
    board.focus === "days"
      ? rowOf(columns, [[`  ${below}`]])
      : rowOf(columns, [
          [`  ${widthOf(scale) + 2 > columns ? ends : scale}`, (text) => style.dim(text)],
        ]),
  ];
}

function chosenText({ home }: Board, row: UsageRow | undefined, key: string | undefined): string {
  if (key === undefined) return "";
  if (!row) return `${shortKey(key)}: nothing`;
  const { costMicroUsd, tokens, sessions } = row;
  const cost =
    costMicroUsd === null ? `${shortNumber(tokens.total)} tokens` : home.money.text(costMicroUsd);
  return `${shortKey(key)}: ${cost}, ${counted(sessions, "session")}`;
}
