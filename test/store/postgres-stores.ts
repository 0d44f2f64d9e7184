import { afterAll } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import type { Store } from "../../src/store/store.ts";
import { startPostgres } from "../postgres-server.ts";

/** How stores in PostgreSQL are opened in a test file; nothing when there is no server. */
export interface PostgresStores {
  /** An empty store, in a schema of its own. */
  open: () => Promise<Store>;
  /** For connections of one's own, with a schema that nobody has used. */
  newDsn: () => string;
}

export const READER = 1;

/** Starts a server for the tests of a file, and ends it with them. */
export async function postgresStores(): Promise<PostgresStores | undefined> {
  const server = await startPostgres();
  if ("missing" in server) return undefined;
  const stores: Store[] = [];
  let next = 0;
  const newDsn = (): string => {
    const sign = server.dsn.includes("?") ? "&" : "?";
    return `${server.dsn}${sign}schema=test_${process.pid}_${(next += 1)}`;
  };
  afterAll(async () => {
    for (const store of stores) await store.close();
    await server.stop();
  });
  const open = async (): Promise<Store> => {
    const store = await openPostgresStore(newDsn(), { reader: READER });
    stores.push(store);
    return store;
  };
  return { open, newDsn };
}
