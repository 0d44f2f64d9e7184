import type { Batch } from "../store.ts";
import { isOutdated, putFiles, storeContents } from "./commit-files.ts";
import { putComparisons, putReadings } from "./commit-readings.ts";
import type { Database } from "./database.ts";
import type { Dictionaries } from "./derived/dictionaries.ts";
import { lock } from "./migrations.ts";
import { rowsOfSessions } from "./derived/session-rows.ts";
import { lastOfEach, putSessions, renameSession } from "./derived/write-sessions.ts";

/**
 * Stores a batch: first the bytes without a lock, then all rows in one short transaction.
 * Transactions are serialised, because the owner of a reply that two sessions hold depends on both.
 */
export async function commitBatch(
  database: Database,
  dictionaries: Dictionaries,
  batch: Batch,
): Promise<"done" | "outdated"> {
  const contents = await storeContents(database, batch.files);
  const sessions = lastOfEach(batch);
  await dictionaries.learn(sessions);
  const written = rowsOfSessions(sessions, dictionaries);
  return database.write(async (connection) => {
    await lock(connection, "commit");
    await database.check(connection);
    if (await isOutdated(connection, batch.files, contents)) return "outdated";
    await putFiles(connection, batch, contents);
    await putReadings(connection, batch.readings);
    if (sessions.length > 0 || batch.dropped.length > 0) {
      await putSessions(connection, { written, sessions, dropped: batch.dropped });
    }
    for (const renamed of batch.renamed ?? []) await renameSession(connection, renamed);
    await putComparisons(connection, batch.comparisons ?? [], batch.nowMs);
    return "done";
  });
}
