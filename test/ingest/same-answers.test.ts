// @module-tag slow
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { bundledThread } from "../bundled-thread.ts";
import { corpusTrees, hasCorpus } from "../corpora/trees.ts";
import type { SourceRoot } from "../../src/ingest/decode.ts";
import { diskUsage } from "../../src/ingest/disk-usage.ts";
import { indexTexts } from "../../src/ingest/texts/index-texts.ts";
import { sources } from "../../src/sources/index.ts";
import { sampleHomes } from "../samples/sample-homes.ts";
import { usageAnswers } from "./answers.ts";
import { expectSame } from "./same-answers.ts";
import { NOW_MS } from "./test-home.ts";

const repository = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

let script = "";
beforeAll(async () => {
  script = await bundledThread("src/kernel/json/ahead/thread.ts");
});

/** Usage at depth "usage", by one thread or with one that reads ahead. */
async function usageBy(threads: 1 | 2, places: readonly SourceRoot[]): Promise<unknown> {
  const ahead = threads === 2 ? { ahead: { script, leastBytes: 0 } } : {};
  const usage = await diskUsage(places, { nowMs: NOW_MS, ...ahead });
  return usage === "declined" ? usage : await usageAnswers(usage);
}

test("the demo gives the same answers from the store and from the disk", async () => {
  const environment = { env: {}, tempDir: "/none", platform: "linux" as const, requestedRoots: [] };
  const places = sources.flatMap((source) => {
    const roots = source.roots({ ...environment, homeDir: join(repository, "demo", "home") });
    return roots.filter(({ isFound }) => isFound).map((root) => ({ source, root }));
  });
  const store = await expectSame(places, "memory and SQLite");
  expect(await usageBy(2, places)).toEqual(await usageBy(1, places));
  const { total } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
  expect(total).toBeGreaterThan(10);
  expect(await indexTexts(store, { sources })).toBe(total);
  expect(await store.withoutTexts()).toEqual([]);
});

/** Each tree alone, then all trees of an agent together, where sessions have copies. */
describe.each(sources.map((source) => [source.id, source] as const))(
  "the corpus of %s",
  (id, source) => {
    const trees = hasCorpus(id) ? corpusTrees(id) : sampleHomes(source);
    const placesOf = (roots: readonly string[]): SourceRoot[] => {
      return roots.map((path) => ({ source, root: { path, because: "a test", isFound: true } }));
    };

    test.each(trees.map(({ name, roots }) => [name, roots] as const))("%s", async (_, roots) => {
      expect(await expectSame(placesOf(roots), "memory")).toBeDefined();
    });

    // Of some trees only, because starting a thread takes most of the time.
    const some = trees.filter((_, at) => at % 8 === 0);
    test.each(some.map(({ name, roots }) => [name, roots] as const))(
      "%s, with a thread that reads ahead",
      async (_, roots) => {
        expect(await usageBy(2, placesOf(roots))).toEqual(await usageBy(1, placesOf(roots)));
      },
    );

    test("all trees at once", async () => {
      expect(
        await expectSame(placesOf(trees.flatMap(({ roots }) => roots)), "memory and SQLite"),
      ).toBeDefined();
    }, 240_000);
  },
);
