import { describe, expect, test } from "vitest";
import { linkSessions } from "../../../src/core/session/links.ts";
import { rowsOf } from "../../../src/core/rows/rows-of.ts";
import type { UsageFact } from "../../../src/core/usage/usage-fact.ts";
import type { Depth } from "../../../src/sources/source.ts";
import type { CorpusTree } from "../../corpora/trees.ts";
import { corpusTrees } from "../../corpora/trees.ts";
import { sumsByModel, truthOf } from "../../corpora/truth.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import { readTree } from "../../corpora/read-tree.ts";

/** Usage that is in no session file, so that sums are below the API's books. */
const NOT_ON_DISK: readonly (readonly [RegExp, string])[] = [
  [/^0\.(1\.25\d+|8\.0|20\.0)\//, "no version before 0.32 wrote any usage"],
  [/\/chat$/, "the Chat Completions wire format brings no usage"],
  [/^0\.36\.0\/autocompact/, "0.36 does not count the request that writes a summary"],
  [/^0\.(80|130|147)\.0\/(autocompact|tui-compact)$/, "compaction by the API is not counted"],
  [/^0\.(36|50|80)\.0\/nousage$/, "responses that ended incomplete are not counted before 0.153"],
  [/^0\.36\.0\/kill$/, "killed while a tool ran, before the usage was written"],
  [/^0\.(36|80)\.0\/tui-interrupt$/, "interrupted while a tool ran, before the usage was written"],
];

function reasonFor(tree: CorpusTree): string | undefined {
  return NOT_ON_DISK.find(([shape]) => shape.test(tree.name))?.[1];
}

interface Sums {
  requests: number;
  input: number;
  cached: number;
  output: number;
  thoughts: number;
  total: number;
}

function usageOf(tree: CorpusTree<"codex">, depth: Depth): UsageFact[] {
  const rows = readTree(codex, tree, depth).sessions.map((session) => rowsOf(session, () => []));
  return linkSessions(rows).sessions.flatMap(({ usage }) => usage);
}

function byModel(facts: readonly UsageFact[]): Record<string, Sums> {
  const sums: Record<string, Sums> = {};
  for (const fact of facts) {
    const zero = { requests: 0, input: 0, cached: 0, output: 0, thoughts: 0, total: 0 };
    const sum = (sums[fact.model ?? "unknown"] ??= zero);
    sum.requests += 1;
    sum.input += fact.input;
    sum.cached += fact.cached ?? 0;
    sum.output += fact.output;
    sum.thoughts += fact.thoughts ?? 0;
    sum.total += fact.total;
  }
  return sums;
}

const CONVERSATION = ["conversation", "subagent", "compaction"] as const;

function booksOf(tree: CorpusTree<"codex">): Record<string, Sums> {
  const sums = [...sumsByModel(truthOf(tree), CONVERSATION)];
  return Object.fromEntries(
    sums.map(([model, { requests, input, cached, output, thoughts, total }]) => {
      return [model, { requests, input, cached, output, thoughts: thoughts ?? 0, total }];
    }),
  );
}

interface Indexed {
  onDisk: { exact: boolean; readings: { ours: Record<string, number> } };
}

const trees = corpusTrees("codex");

describe("usage by model equals the API's books", () => {
  test.each(trees.filter((tree) => reasonFor(tree) === undefined))("$name", (tree) => {
    expect(byModel(usageOf(tree, "full"))).toEqual(booksOf(tree));
  });
});

describe("usage equals what is on the disk, which is less than the books", () => {
  test.each(trees.filter((tree) => reasonFor(tree) !== undefined))("$name", (tree) => {
    const ours = Object.values(byModel(usageOf(tree, "full")));
    const sum = (field: keyof Sums): number => ours.reduce((all, row) => all + row[field], 0);
    const found = {
      n: sum("requests"),
      input: sum("input"),
      cached: sum("cached"),
      output: sum("output") + sum("thoughts"),
      reasoning: sum("thoughts"),
    };
    const { onDisk } = tree.indexed() as Indexed;
    expect(onDisk.exact, reasonFor(tree)).toBe(false);
    expect(found).toEqual(onDisk.readings.ours);
  });
});

describe('depths "usage" and "outline" give the same replies', () => {
  test.each(trees)("$name", (tree) => {
    const replies = (depth: Depth) => {
      return readTree(codex, tree, depth).sessions.map((session) => [session.id, session.replies]);
    };
    const full = replies("full");
    expect(replies("usage")).toEqual(full);
    expect(replies("outline")).toEqual(full);
  });
});
