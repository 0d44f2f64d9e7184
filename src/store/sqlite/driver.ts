import { createRequire } from "node:module";
import { PolluxError } from "../../core/error.ts";

/** The part of the driver that is used; it has the shape of Node's `DatabaseSync`. */
export interface Driver {
  DatabaseSync: new (path: string, options?: DriverOptions) => DriverDatabase;
}

interface DriverOptions {
  readOnly?: boolean;
  /** How long to wait for another process's lock, in milliseconds. */
  timeout?: number;
}

export interface DriverDatabase {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  /** From then on, rows are arrays: objects take the driver twice as long. */
  setReturnArrays(isEnabled: true): void;
  columns(): { name: string }[];
  run(...values: readonly Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: readonly Value[]): unknown;
  all(...values: readonly Value[]): unknown[];
  iterate(...values: readonly Value[]): IterableIterator<unknown>;
}

export type Value = string | number | bigint | null | Uint8Array;

let loaded: Driver | undefined;

/** Loads the bundled addon, or Node's own SQLite if the addon has no build for this platform. */
export function loadDriver(): Driver {
  loaded ??= loadAddon() ?? loadBuiltIn();
  if (loaded) return loaded;
  const { platform, arch, version } = process;
  throw new PolluxError(
    "no-database",
    `No SQLite for ${platform}-${arch} and Node ${version}: archives cannot be opened.`,
    { remedy: "Use Node 22.16 or newer, or use --fresh to answer directly from disk." },
  );
}

function loadAddon(): Driver | undefined {
  try {
    // Loaded only when an archive is opened: it costs 10 ms.
    return createRequire(import.meta.url)("@photostructure/sqlite") as Driver;
  } catch {
    // No build for this platform, or it was left out of the installation.
    return undefined;
  }
}

function loadBuiltIn(): Driver | undefined {
  return process.getBuiltinModule?.("node:sqlite") as Driver | undefined;
}
