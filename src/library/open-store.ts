import { PolluxError } from "../core/error.ts";
import { READER_VERSION } from "../ingest/reader-version.ts";
import type { Store } from "../store/store.ts";

const POSTGRES = /^postgres(?:ql)?:\/\//;

/**
 * Opens a store by where it lies: the path of a file, or the address of a database. Drivers are
 * loaded when they are needed: answers from the disk do without a database.
 */
export async function openStore(location: string): Promise<Store> {
  const options = { reader: READER_VERSION };
  if (POSTGRES.test(location)) {
    const { openPostgresStore } = await import("../store/postgres/store.ts");
    return openPostgresStore(location, options);
  }
  const { openSqliteStore } = await import("../store/sqlite/store.ts");
  return openSqliteStore(location, options);
}

/** A wrong address is refused before anything else is done. */
export function refuseOtherStores(address: string): void {
  if (POSTGRES.test(address)) return;
  throw new PolluxError("wrong-usage", "A store is named by its address in PostgreSQL.", {
    remedy: "Give postgres://user@host/database, or name an archive file with --archive.",
  });
}
