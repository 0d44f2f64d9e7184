import type { BasicType } from "hyparquet-writer";
import type { Chunk, Export } from "./export.ts";
import type { Cell, Column } from "./table-rows.ts";
import { MESSAGE_COLUMNS, messageRows, USAGE_COLUMNS, usageRows } from "./table-rows.ts";

/** Tables for analysis (DuckDB, ClickHouse, pandas): paid replies or messages. */
export const parquet: Export = {
  name: "parquet",
  title: "a table of paid replies, or of messages, for analysis",
  mediaType: "application/vnd.apache.parquet",
  extension: "parquet",
  subject: "sessions",
  tables: ["usage", "messages"],
  isLineByLine: true,
  isBinary: true,
  async *write({ sessions, table }) {
    if (table === "messages") yield* writeTable(sessions, MESSAGE_COLUMNS, messageRows);
    else yield* writeTable(sessions, USAGE_COLUMNS, usageRows);
  },
};

const TYPES: Readonly<Record<Column<unknown>["type"], BasicType>> = {
  text: "STRING",
  json: "STRING",
  count: "INT64",
  time: "TIMESTAMP",
  flag: "BOOLEAN",
};

/** A row group is written after this many rows or characters. */
const GROUP_ROWS = 10_000;
const GROUP_LENGTH = 16 << 20;

/** Writes rows that are all in memory as one file. */
export async function tableBytes<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<Buffer> {
  const all = async function* (): AsyncGenerator<readonly Row[]> {
    yield rows;
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeTable(all(), columns, (given) => given)) {
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

async function* writeTable<Given, Row>(
  sessions: AsyncIterable<Given>,
  columns: readonly Column<Row>[],
  rowsOf: (given: Given) => Iterable<Row>,
): AsyncGenerator<Chunk> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const described = columns.map(({ name, type }) => ({ name, type: TYPES[type], nullable: true }));
  const schema = schemaFromColumnData({ columnData: described.map((c) => ({ ...c, data: [] })) });
  const bytes = new ByteWriter();
  const file = new ParquetWriter({ writer: bytes, schema });
  for await (const group of groupsOf(sessions, columns, rowsOf)) {
    const columnData = described.map((column, at) => ({ ...column, data: group[at] ?? [] }));
    await file.write({ columnData, rowGroupSize: group[0]?.length ?? 1 });
    // Emit the written bytes and reuse the buffer; the writer tracks file offsets itself.
    if (bytes.index === 0) continue;
    yield new Uint8Array(bytes.buffer.slice(0, bytes.index));
    bytes.index = 0;
  }
  await file.finish();
  yield new Uint8Array(bytes.buffer.slice(0, bytes.index));
}

type Value = string | bigint | boolean | Date | null;

async function* groupsOf<Given, Row>(
  sessions: AsyncIterable<Given>,
  columns: readonly Column<Row>[],
  rowsOf: (given: Given) => Iterable<Row>,
): AsyncGenerator<Value[][]> {
  let group = columns.map((): Value[] => []);
  let rows = 0;
  let length = 0;
  for await (const exported of sessions) {
    for (const row of rowsOf(exported)) {
      columns.forEach((column, at) => {
        const value = valueOf(column.type, column.value(row));
        if (typeof value === "string") length += value.length;
        group[at]?.push(value);
      });
      rows += 1;
      if (rows < GROUP_ROWS && length < GROUP_LENGTH) continue;
      yield group;
      group = columns.map(() => []);
      rows = 0;
      length = 0;
    }
  }
  if (rows > 0) yield group;
}

function valueOf(type: Column<unknown>["type"], cell: Cell): Value {
  if (cell === null || typeof cell === "boolean") return cell;
  if (type === "time") return new Date(Number(cell));
  // A lone surrogate cannot be encoded in UTF-8.
  if (typeof cell === "string") return cell.replace(/\p{Cs}/gu, "\ufffd");
  return BigInt(Math.trunc(cell));
}
