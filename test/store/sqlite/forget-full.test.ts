import { join } from "node:path";
import { expect, test } from "vitest";
import { Database } from "../../../src/store/sqlite/database.ts";
import { forget } from "../../../src/store/sqlite/forget.ts";
import { PolluxError } from "../../../src/core/error.ts";
import { archiveAt, folder } from "../temporary-archives.ts";

/** Has room for changes, but not for a second copy of the file. */
class Narrow extends Database {
  override exec(sql: string): void {
    if (sql === "VACUUM") throw new PolluxError("disk-full", "The disk is full.");
    super.exec(sql);
  }
}

test("forget without room for VACUUM forgets everything and reports what is left to do", async () => {
  const path = join(folder(), "archive.db");
  await (await archiveAt(path)).close();
  const database = new Narrow(path, "write");
  const sessions = [{ source: "agent", id: "aaaaaaaa-1" }];
  expect(() => forget(database, { files: [], sessions, paths: [], nowMs: 1 })).toThrow(
    expect.objectContaining({
      code: "disk-full",
      message: expect.stringContaining("The sessions are forgotten"),
      remedy: expect.stringContaining("pollux archive compact"),
    }),
  );
  database.close();
  const after = await archiveAt(path);
  expect((await after.forgotten()).hasSession({ source: "agent", id: "aaaaaaaa-1" })).toBe(true);
});
