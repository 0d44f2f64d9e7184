import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { PolluxError } from "../../core/error.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open.ts";
import { seal } from "./bytes/seal.ts";

/** Ordered so that referenced rows come first. */
const KEPT_TABLES = [
  "machines",
  "roots",
  "files",
  "streams",
  "versions",
  "chunks",
  "pieces",
  "annotations",
  "forgotten",
] as const;

/**
 * Writes the kept half to a new archive, whose derived rows are built when it is opened. The file
 * is renamed to its final name when it is complete.
 */
export function exportTo(database: Database, path: string): void {
  if (existsSync(path)) {
    throw new PolluxError("file-exists", `${path} already exists and was not overwritten.`, {
      remedy: "Choose another name, or remove it first.",
    });
  }
  if (!existsSync(dirname(path))) {
    throw new PolluxError("no-such-folder", `The folder ${dirname(path)} does not exist.`);
  }
  const aside = `${path}.tmp-${process.pid}`;
  try {
    const target = openDatabase(aside);
    try {
      target.write(() => copy(database, target));
      target.exec("PRAGMA journal_mode = DELETE");
    } finally {
      target.close();
    }
    renameSync(aside, path);
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${aside}${end}`, { force: true });
  }
}

function copy(from: Database, to: Database): void {
  to.exec("DELETE FROM machines");
  from.read(() => {
    for (const table of KEPT_TABLES) copyTable(from, to, table);
    const machine = "SELECT value FROM meta WHERE key = 'machine'";
    const { value } = from.get<{ value: string }>(machine) ?? { value: "1" };
    to.run("UPDATE meta SET value = ? WHERE key = 'machine'", value);
    seal(to);
  });
}

type Row = Record<string, string | number | null | Uint8Array>;

function copyTable(from: Database, to: Database, table: string): void {
  for (const row of from.each<Row>(`SELECT * FROM ${table}`)) {
    const names = Object.keys(row);
    const places = names.map(() => "?").join(", ");
    const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`;
    to.run(sql, ...names.map((name) => row[name] ?? null));
  }
}
