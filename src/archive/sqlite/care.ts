import { statSync } from "node:fs";
import type { ArchiveStats, Care } from "../archive.ts";
import type { Database } from "./database.ts";

/** Looking after the file itself. */
export class SqliteCare implements Pick<Care, "stats"> {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  stats(): ArchiveStats {
    throw new RangeError(`not yet: ${statSync(this.#database.path).size}`);
  }
}
