// @module-tag slow
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readKit } from "../../src/conformance/kit.ts";
import { pollux, runCase } from "../../src/conformance/run.ts";
import { sources } from "../../src/sources/index.ts";
import { readCases } from "../samples/gemini-fixtures.ts";

const kit = readKit(join(import.meta.dirname, "../fixtures"));
const ofGemini = readCases();

test("the kit has homes of every agent", () => {
  const agents = kit.map(({ id }) => id.replace(/^corpora\//, "").split("/")[0] ?? "");
  expect([...new Set(agents)].toSorted()).toEqual(sources.map(({ id }) => id).toSorted());
});

describe("Pollux passes every case of the kit", () => {
  test.each(kit)("$id: $about", async (sample) => {
    expect(await runCase(sample, pollux)).toMatchObject({ wrong: [], unanswered: [], error: null });
  });
});

describe("docs/guide/conformance.md", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/guide/conformance.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([a-z0-9.-]+\/[a-z0-9.-]+)` \| (.+) \|$/gm)];

  test("lists exactly the Gemini CLI cases with their descriptions", () => {
    const listed = rows.map(([, id, about]) => `${id} ${about}`);
    expect(listed).toEqual(ofGemini.map(({ id, about }) => `${id} ${about}`));
  });
});
