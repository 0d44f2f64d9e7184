import pg from "pg";
import { openPostgresStore } from "../../../src/store/postgres/store.ts";
import type { Store } from "../../../src/store/store.ts";
import { atEndOfFile } from "../../end-of-file.ts";
import { startPostgres } from "../../postgres-server.ts";

/** Opens stores in PostgreSQL for tests; they are closed at the end of the test file. */
export interface PostgresStores {
  /** Whether a server is available. */
  isAvailable: boolean;
  /** Suffix for titles of skipped tests: empty, or in brackets why there is no server. */
  skipReason: string;
  /** An empty store in a new schema. */
  open: () => Promise<Store>;
  /** The DSN of an unused schema. */
  newDsn: () => string;
  at: (dsn: string, reader?: number) => Promise<Store>;
  /** The same store with a role that may only read. */
  readerOf: (dsn: string) => Promise<Store>;
  /** Runs one statement after another; returns the rows of the last one. */
  sql: (dsn: string, ...sql: readonly string[]) => Promise<Record<string, unknown>[]>;
  /** Tables of a store that contain a text in any column. */
  tablesWith: (dsn: string, text: string) => Promise<string[]>;
}

let schemas = 0;

export async function postgresStores(): Promise<PostgresStores> {
  const server = await startPostgres();
  const isThere = !("missing" in server);
  const newDsn = (): string => {
    if (!isThere) throw new Error(server.missing);
    const sign = server.dsn.includes("?") ? "&" : "?";
    return `${server.dsn}${sign}schema=test_${process.pid}_${(schemas += 1)}`;
  };
  const at = async (dsn: string, reader = 1): Promise<Store> => {
    const store = await openPostgresStore(dsn, { reader });
    atEndOfFile(() => store.close());
    return store;
  };
  const open = (): Promise<Store> => at(newDsn());
  const why = isThere ? "" : ` (${server.missing})`;
  return {
    isAvailable: isThere,
    skipReason: why,
    open,
    newDsn,
    at,
    readerOf: (dsn) => readerOf(dsn, at),
    sql,
    tablesWith,
  };
}

function schemaOf(dsn: string): string {
  return /schema=(\w+)/.exec(dsn)?.[1] ?? "";
}

async function sql(dsn: string, ...texts: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: dsn.replace(/[?&]schema=\w+/, "") });
  await client.connect();
  try {
    await client.query(`SET search_path = ${schemaOf(dsn)}`);
    let rows: Record<string, unknown>[] = [];
    for (const text of texts) ({ rows } = await client.query(text));
    return rows;
  } finally {
    await client.end();
  }
}

async function readerOf(dsn: string, at: PostgresStores["at"]): Promise<Store> {
  const role = `reader_${schemaOf(dsn)}`;
  await sql(
    dsn,
    `CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT USAGE ON SCHEMA ${schemaOf(dsn)} TO ${role};
    GRANT SELECT ON ALL TABLES IN SCHEMA ${schemaOf(dsn)} TO ${role}`,
  );
  return at(dsn.replace(/\/\/[^@]*@/, `//${role}:reader@`));
}

async function tablesWith(dsn: string, text: string): Promise<string[]> {
  const tables = await sql(
    dsn,
    `SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = '${schemaOf(dsn)}'::regnamespace`,
  );
  const search = tables.map(({ relname }) => {
    const name = String(relname);
    return `SELECT '${name}' AS name WHERE EXISTS
      (SELECT 1 FROM ${name} AS r WHERE r::text LIKE '%${text}%')`;
  });
  return (await sql(dsn, search.join(" UNION ALL "))).map(({ name }) => String(name));
}
