import { csvLine, csvText } from "./csv-cells.ts";
import type { Export, ExportedSession } from "./export.ts";
import type { Cell, Column } from "./table-rows.ts";
import { CALL_COLUMNS, callRows, MESSAGE_COLUMNS, messageRows } from "./table-rows.ts";

/** Tables for spreadsheets (RFC 4180): messages, or tool calls. */
export const csv: Export = {
  name: "csv",
  title: "a table of messages, or of tool calls",
  mediaType: "text/csv",
  extension: "csv",
  subject: "sessions",
  tables: ["messages", "calls"],
  isLineByLine: true,
  async *write({ sessions, table }) {
    if (table === "calls") yield* writeTable(sessions, CALL_COLUMNS, callRows);
    else yield* writeTable(sessions, MESSAGE_COLUMNS, messageRows);
  },
};

async function* writeTable<Row>(
  sessions: AsyncIterable<ExportedSession>,
  columns: readonly Column<Row>[],
  rowsOf: (exported: ExportedSession) => Iterable<Row>,
): AsyncGenerator<string> {
  yield csvLine(columns.map(({ name }) => name));
  for await (const exported of sessions) {
    for (const row of rowsOf(exported)) yield csvLine(columns.map((column) => cellOf(column, row)));
  }
}

function cellOf<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row);
  if (value === null) return "";
  if (column.type === "time") return new Date(Number(value)).toISOString();
  return typeof value === "string" ? csvText(value) : String(value satisfies Exclude<Cell, null>);
}
