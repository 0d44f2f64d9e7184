import type { FoundFiles } from "../ingest/disk-home.ts";
import type { IngestProgress } from "../ingest/ingest-report.ts";
import type { Environment, Root, Source } from "../sources/source.ts";
import type { Store } from "../store/store.ts";
import type { SourceRoot } from "./places.ts";

/** What is about to be kept for the first time, and where. */
export interface FirstKeep extends FoundFiles {
  archive: string;
}

export interface OpenOptions {
  /** Folders to read instead of the default ones. */
  roots?: readonly string[];
  /** The agents to look for; all known ones by default. */
  sources?: readonly Source[];
  /** Only this agent: its id or short name, such as `claude`. */
  agent?: string;
  /** A price file that takes precedence over the bundled prices. */
  prices?: string;
  /** The archive to answer from: a file, a folder, `default` or `none` (the default). */
  archive?: string;
  /** A PostgreSQL store (`postgres://…`) or an open store, instead of the archive. */
  store?: string | Store;
  /**
   * - `look`: answer from the archive, after a quick look for changes (the default)
   * - `none`: answer from the archive as it is
   * - `fresh`: answer directly from the disk; reads every file in full, in one thread
   */
  refresh?: "look" | "none" | "fresh";
  /**
   * Where sessions are read and kept: in the calling thread, with a helper if there are many (the
   * default), or in a separate thread, for programs that answer requests meanwhile.
   */
  ingest?: "here" | "thread";
  /**
   * Whether a search first indexes sessions that are not indexed yet (`here`, the default), or
   * another process does so (`elsewhere`) and the search uses the index as it is.
   */
  index?: "here" | "elsewhere";
  /** Epoch milliseconds; the machine's clock by default. */
  clock?: () => number;
  /** Called during long work. */
  progress?: (progress: IngestProgress) => void;
  /** Called before a query keeps anything for the first time. */
  firstKeep?: (found: FirstKeep) => void;
  /** Called with a sentence if answers cannot be as current as requested. */
  remark?: (sentence: string) => void;
  /** Overrides for the machine's environment; the real one by default. */
  environment?: Partial<Environment>;
}

/** The resolved configuration of a library. */
export interface Setup {
  options: OpenOptions;
  places: readonly SourceRoot[];
  /** The roots that are searched; none if the store is given as an object. */
  roots: readonly Root[];
  sources: readonly Source[];
  environment: Environment;
  clock: () => number;
}
