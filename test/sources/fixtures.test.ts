import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { layOut, readCases } from "../../scripts/conformance/cases.mjs";
import { neutralAnswer } from "../../scripts/conformance/neutral.mjs";
import { open } from "../../src/library/library.ts";

/** A fixture folder is a test; the same cases are the conformance kit for other readers. */
const cases = readCases();
const homes: string[] = [];
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true, force: true })));

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "pollux-fixture-"));
  homes.push(home);
  return home;
}

describe("what is read of each fixture", () => {
  test.each(cases)("$id: $about", async (one) => {
    const home = newHome();
    layOut(one, home);
    const environment = { env: {}, homeDir: home, tempDir: join(home, "no-temp") };
    expect(await neutralAnswer(open({ environment }), home)).toEqual(one.expected);
  });
});

describe("docs/conformance.md", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/conformance.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([a-z0-9.-]+\/[a-z0-9.-]+)` \| (.+) \|$/gm)];

  test("lists every case with what it is about, and no other", () => {
    const told = rows.map(([, id, about]) => `${id} ${about}`);
    expect(told).toEqual(cases.map(({ id, about }) => `${id} ${about}`));
  });
});
