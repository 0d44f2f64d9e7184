import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";

/** After an update, all files of a home are queried; SQLite takes 32,766 values in a statement. */
test("queries accept more files and sessions than a statement has parameters", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "pollux-many-")), "archive.db");
  const store = await openSqliteStore(path, { reader: 1 });
  onTestFinished(() => store.close());
  await store.addRoot({ source: "agent", path: "/home/me/.agent", how: "usual" }, 1);
  const numbers = Array.from({ length: 40_000 }, (_, at) => at + 1);
  const names = numbers.map((number) => `/home/me/.agent/${number}`);
  expect(await store.known({ ids: [...numbers, ...numbers.map((id) => -id)] })).toEqual([]);
  expect(await store.known({ paths: names })).toEqual([]);
  expect(await store.known({ keys: names })).toEqual([]);
  const query = { scope: "own", filter: {}, sort: "newest" } as const;
  expect((await store.sessions({ ...query, ids: names })).total).toBe(0);
  expect(await store.refs({ ...query, idStarts: names })).toEqual([]);
});
