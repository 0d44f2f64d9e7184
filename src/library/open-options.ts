import type { Progress } from "../ingest/ingest-report.ts";
import type { Source, Environment } from "../sources/source.ts";

/** What the library is opened on, and how. */
export interface OpenOptions {
  /** Folders to read instead of the usual places: a `.gemini` folder, or anything holding one. */
  roots?: readonly string[];
  sources?: readonly Source[];
  /** A file with prices that come before the bundled ones. */
  prices?: string;
  /** The archive that answers come from: a file, a folder, `default` or `none` (the default). */
  archive?: string;
  /**
   * - `look`: answers come from the archive, after a quick look for changes (the default)
   * - `none`: from the archive as it is
   * - `fresh`: straight from the disk
   */
  refresh?: "look" | "none" | "fresh";
  /** Epoch milliseconds; the machine's clock by default. */
  clock?: () => number;
  /** Told how far long work has come. */
  progress?: Progress;
  /** Told in a sentence, once, when answers cannot be as new as was asked for. */
  remark?: (sentence: string) => void;
  /** What to take for the machine; the real one by default. */
  environment?: Partial<Environment>;
}
