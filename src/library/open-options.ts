import type { FoundFiles } from "../ingest/found-files.ts";
import type { IngestProgress } from "../ingest/ingest-report.ts";
import type { Environment, Source } from "../sources/source.ts";
import type { Store } from "../store/store.ts";

/** What is about to be kept, and where. */
export interface FirstKeep extends FoundFiles {
  archive: string;
}

export interface OpenOptions {
  /** Folders to read instead of the usual places. */
  roots?: readonly string[];
  /** The agents to look for: all that are known by default. */
  sources?: readonly Source[];
  /** Only this agent: its id, or a short name such as `claude`. */
  agent?: string;
  /** A file with prices that come before the bundled ones. */
  prices?: string;
  /** The archive that answers come from: a file, a folder, `default` or `none` (the default). */
  archive?: string;
  /** A store in PostgreSQL (`postgres://…`), or one that is open, in the place of the archive. */
  store?: string | Store;
  /**
   * - `look`: answers come from the archive, after a quick look for changes (the default)
   * - `none`: from the archive as it is
   * - `fresh`: straight from the disk, every file in full, in one thread
   */
  refresh?: "look" | "none" | "fresh";
  /**
   * Where sessions are read and kept: in the thread that asks, with a helper when they are many
   * (the default), or in a thread of their own, for programs that answer others meanwhile.
   */
  ingest?: "here" | "thread";
  /**
   * Whether a search puts words into the index first that are not there yet (`here`, the default),
   * or somebody else does so (`elsewhere`), and what is there is searched.
   */
  index?: "here" | "elsewhere";
  /** Epoch milliseconds; the machine's clock by default. */
  clock?: () => number;
  /** Called while long work goes on. */
  progress?: (progress: IngestProgress) => void;
  /** Called before anything is kept for the first time, when a question brings that about. */
  firstKeep?: (found: FirstKeep) => void;
  /** Called with a sentence when answers cannot be as new as was asked for. */
  remark?: (sentence: string) => void;
  /** What to take for the machine; the real one by default. */
  environment?: Partial<Environment>;
}
