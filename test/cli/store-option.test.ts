// @module-tag slow
import { describe, expect, test } from "vitest";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoHome } from "../../src/cli/package-folder.ts";
import { postgresStores } from "../store/postgres/stores.ts";
import { run } from "./run.ts";

const postgres = await postgresStores();

describe.skipIf(!postgres.isAvailable)(`--store postgres://…${postgres.skipReason}`, () => {
  test("gives the same answers as an archive", async () => {
    const dsn = postgres.newDsn();
    const archive = join(mkdtempSync(join(tmpdir(), "pollux-archive-")), "archive.db");
    const root = ["--root", demoHome(), "--json"];
    for (const where of [
      ["--store", dsn],
      ["--archive", archive],
    ]) {
      expect(await run(["keep", ...root, ...where])).toMatchObject({ code: 0, err: "" });
    }
    for (const question of [["usage"], ["usage", "--by", "project"], ["sessions"], ["tools"]]) {
      const stored = await run([...question, ...root, "--store", dsn]);
      expect(stored.code).toBe(0);
      expect(stored).toEqual(await run([...question, ...root, "--archive", archive]));
    }
    const found = await run(["search", "test", ...root, "--store", dsn, "--no-refresh"]);
    expect(found.code).toBe(0);
  }, 120_000);

  test("is taken from POLLUX_STORE unless --archive is given", async () => {
    const env = { POLLUX_STORE: postgres.newDsn() };
    const kept = await run(["keep", "--root", demoHome(), "--json"], { env });
    expect(JSON.parse(kept.out)).toMatchObject({ archive: expect.stringMatching(/^postgres:/) });
    const archive = join(mkdtempSync(join(tmpdir(), "pollux-archive-")), "archive.db");
    const other = await run(["keep", "--root", demoHome(), "--json", "--archive", archive], {
      env,
    });
    expect(JSON.parse(other.out)).toMatchObject({ archive });
  });
});

test("--store rejects an invalid address, and a combination with --archive", async () => {
  const address = "mysql://localhost/sessions";
  expect(await run(["sessions", "--store", address])).toMatchObject({ code: 2 });
  const both = await run(["sessions", "--store", "postgres://localhost/x", "--archive", "a.db"]);
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining("cannot be combined") });
});

test("--store reports an unreachable server without the password", async () => {
  const address = "postgres://ada:secret@127.0.0.1:9/sessions";
  const { code, err } = await run(["sessions", "--store", address, "--no-refresh"]);
  expect(code).toBe(1);
  expect(err).toContain("The server does not answer");
  expect(err).not.toContain("secret");
});
