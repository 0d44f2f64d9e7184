import type { RootOrigin } from "../../core/files/kept.ts";
import type { Source } from "../../sources/source.ts";
import type { Store } from "../../store/store.ts";
import type { SourceRoot } from "../decode.ts";
import type { ThreadConfig } from "./helper-thread.ts";
import { indexTexts } from "../texts/index-texts.ts";
import type { ShareGroups } from "../ingest.ts";
import { ingest } from "../ingest.ts";
import type { IngestProgress, IngestReport } from "../ingest-report.ts";
import { rebuild } from "../rebuild.ts";
import { shareGroups, shareTexts } from "./share-work.ts";

/** Ingests new files, usually in a thread, so that the caller stays responsive. */
export interface Ingester {
  ingest(request: IngestOptions): Promise<IngestReport[]>;
  /** Indexes the texts of all sessions that are not indexed yet. Returns their number. */
  indexTexts(): Promise<number>;
  /** Makes rows again from kept bytes. Returns the number of sessions. */
  rebuild(options?: { only?: "unread"; progress?: OnProgress }): Promise<number>;
  close(): Promise<void>;
}

export interface IngestOptions {
  places: readonly SourceRoot[];
  how: RootOrigin;
  urgent?: ReadonlySet<string>;
  progress?: OnProgress;
}

export type OnProgress = (progress: IngestProgress) => void;

export interface DirectOptions {
  sources: readonly Source[];
  clock: () => number;
  /** Where to start a helper thread if there is much work; none by default. */
  helper?: ThreadConfig;
}

/** Ingests in the thread of the caller, for callers with nothing else to do, or without threads. */
export function directIngester(store: Store, { sources, clock, helper }: DirectOptions): Ingester {
  const share: { share?: ShareGroups } = helper
    ? { share: (work, groups) => shareGroups(helper, work, groups) }
    : {};
  return {
    ingest: ({ places, ...options }) => ingest(store, places, { clock, ...options, ...share }),
    indexTexts: () => {
      return helper ? shareTexts(helper, store, sources) : indexTexts(store, { sources });
    },
    rebuild: (options) => rebuild(store, { sources, clock, ...options, ...share }),
    close: () => Promise.resolve(),
  };
}
