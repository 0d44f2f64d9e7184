import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../src/library/library.ts";
import { readCases } from "../samples/gemini-fixtures.ts";
import { roundTrip, UNHARMED } from "./round-trip.ts";

/** Cases with at least one session. */
const CASES = readCases().flatMap(({ id, folder, expected }) => {
  const roots = [".gemini", ".cache/.gemini"].map((path) => join(folder, path));
  const root = roots.find((path) => existsSync(join(path, "tmp")));
  const { length } = expected.sessions ?? [];
  return root === undefined || length === 0 ? [] : [{ id, root, length }];
});

describe("the fixtures", () => {
  it("are more than sixty", () => expect(CASES.length).toBeGreaterThan(60));

  it.each(CASES)("$id: every session is restored from its record", async ({ root, length }) => {
    const { sessions } = await open({ roots: [root] }).sessions();
    expect(sessions).toHaveLength(length);
    for (const { id } of sessions) expect(await roundTrip(root, id)).toEqual(UNHARMED);
  });
});
