import { PolluxError } from "../core/error.ts";
import { READER_VERSION } from "../ingest/reader-version.ts";
import type { Store } from "../store/store.ts";

const POSTGRES = /^postgres(?:ql)?:\/\//;

/**
 * Opens a store by file path or database address. Drivers are loaded on demand, since answers from
 * the disk need no database.
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

/** Throws if the address is not one of PostgreSQL; called before any other work. */
export function refuseOtherStores(address: string): void {
  if (POSTGRES.test(address)) return;
  throw new PolluxError("wrong-usage", "--store takes the address of a PostgreSQL database.", {
    remedy: "Use postgres://user@host/database, or name an archive file with --archive.",
  });
}

/** Somebody else's store was opened to read it. */
export function notYours(): PolluxError {
  return new PolluxError("archive-read-only", "Sessions of another person can only be read.", {
    remedy: "Only they can change them. `pollux team erase` removes sessions.",
  });
}
