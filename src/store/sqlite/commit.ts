import type { Batch, Committed } from "../store.ts";
import type { Database } from "./database.ts";
import { updateDayBuckets } from "./derived/day-buckets.ts";
import type { ReadyChange, SqliteKeptFiles } from "./bytes/kept-files.ts";
import { putReading } from "./derived/readings.ts";
import { SessionWriter } from "./derived/write-sessions.ts";

/** Writes a batch in one transaction; its bytes are already compressed. */
export function commitBatch(
  database: Database,
  files: SqliteKeptFiles,
  batch: Batch & { ready: readonly ReadyChange[] },
): Committed {
  return database.write(() => {
    const numbers = new Map<string, number>();
    for (const change of batch.ready) {
      numbers.set(pathOf(change), files.apply(change, batch.nowMs));
    }
    for (const reading of batch.readings) putReading(database, reading);
    const writer = new SessionWriter(database);
    for (const rows of batch.sessions) writer.put(rows);
    for (const session of batch.dropped) writer.drop(session);
    for (const session of batch.renamed ?? []) writer.rename(session, session.project);
    writer.finish();
    for (const comparison of batch.comparisons ?? []) files.looked(comparison, batch.nowMs);
    // Only at the end of a comparison, so that days of many sessions are summed once.
    if (batch.comparisons) updateDayBuckets(database);
    return { files: numbers };
  });
}

function pathOf({ change }: ReadyChange): string {
  return change.kind === "gone" ? change.known.path : change.file.path;
}
