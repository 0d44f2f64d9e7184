import type { Source } from "../sources/source.ts";
import type { Store } from "../store/store.ts";
import type { IngestOptions } from "./ingest.ts";
import { ingestChanges } from "./ingest.ts";
import { ProgressMeter } from "./progress-meter.ts";

export interface RebuildOptions extends Pick<IngestOptions, "clock" | "progress" | "share"> {
  sources: readonly Source[];
  /** Keeps existing rows; reads only files that were never read or have changed. */
  only?: "unread";
}

/**
 * Makes all rows again from kept bytes, without looking at the disk. Returns the number of
 * sessions. After an interruption the next call continues: the store knows which files are unread.
 */
export async function rebuild(store: Store, options: RebuildOptions): Promise<number> {
  const { sources, only, ...rest } = options;
  if (only !== "unread") await store.care.clearDerived();
  if ((await store.unread()).length > 0) {
    const meter = new ProgressMeter("reading", rest.progress);
    for (const source of sources) {
      await ingestChanges(store, source, { ...rest, how: "usual", scans: [], meter });
    }
  }
  const { total } = await store.sessions({ scope: "own", limit: 1 });
  return total;
}
