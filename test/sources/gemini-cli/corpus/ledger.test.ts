// @module-tag slow
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeHome } from "../../../../bench/make-home.mjs";
import { open } from "../../../../src/library/library.ts";
import type { Library } from "../../../../src/library/library.ts";
import { bundledPrices } from "../../../../src/queries/prices/prices.ts";
import type { UsageReport } from "../../../../src/queries/usage/usage.ts";
import known from "./known.json" with { type: "json" };
import type { Books, Tree, UsageName } from "./trees.ts";
import { readTrees } from "./trees.ts";

/**
 * Compares the ledger with the API log for every tree of the corpus: requests, every count and the
 * cost, by model. `known.json` lists each difference with its reason: bytes that the program never
 * wrote, or deleted.
 */
const trees = readTrees();
const NAMES: readonly UsageName[] = ["input", "output", "cached", "thoughts", "tool", "total"];
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function libraryOf(...roots: string[]): Library {
  return open({ roots, environment: { env: {}, homeDir: "/home/ada" } });
}

const usageOf = (...roots: string[]): Promise<UsageReport> =>
  libraryOf(...roots).usage({ by: ["model"], timezone: "UTC" });

type Counts = Record<UsageName | "replies", number>;

/** Usage of conversations in the API log, by model. */
function booksOf({ truth }: Tree): Map<string, Counts> {
  const books = new Map<string, Counts>();
  for (const { kind, model = "", usage } of truth.requests) {
    if (!usage || (kind !== "main" && kind !== "subagent")) continue;
    const sums = books.get(model) ?? none();
    const { prompt, candidates, cached, thoughts, tool, total } = usage;
    sums.input += prompt;
    sums.output += candidates;
    sums.cached += cached;
    sums.thoughts += thoughts;
    sums.tool += tool;
    sums.total += total;
    sums.replies += 1;
    books.set(model, sums);
  }
  return books;
}

function none(): Counts {
  return { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0, replies: 0 };
}

/** By model: ledger minus API log, only counts that differ, in the form of `known.json`. */
function difference(tree: Tree, report: UsageReport): Record<string, string> {
  const books = booksOf(tree);
  const ours = new Map(
    report.rows.map((row) => {
      const key = row.key === "unknown" ? "" : row.key;
      return [key, { ...row.tokens, replies: row.requests }] as const;
    }),
  );
  const models = [...new Set([...books.keys(), ...ours.keys()])].toSorted();
  const pairs = models.flatMap((model) => {
    const fields = [...NAMES, "replies" as const].flatMap((name) => {
      const more = (ours.get(model)?.[name] ?? 0) - (books.get(model)?.[name] ?? 0);
      return more === 0 ? [] : [`${name} ${more}`];
    });
    return fields.length === 0 ? [] : [[model, fields.join(", ")] as const];
  });
  return Object.fromEntries(pairs);
}

type Named = Record<string, { tokens?: { why: string; is: Record<string, string> } }>;
const named = known.trees as Named;

/** The price of a request in the API log, computed independently with big integers. */
function costOf({ prompt, cached, candidates, thoughts, tool }: Books, model: string): bigint {
  const models = bundledPrices.flatMap((table) => table.models);
  const prices = models.find(({ id }) => id === model)?.prices[0];
  if (!prices) throw new Error(`${model} is not in the table.`);
  const rates = prices.above?.findLast(({ tokens }) => prompt + tool > tokens) ?? prices;
  return (
    BigInt(prompt - cached + tool) * BigInt(rates.input) +
    BigInt(cached) * BigInt(rates.cached) +
    BigInt(candidates + thoughts) * BigInt(rates.output)
  );
}

describe("the ledger equals the API log", () => {
  test.each(trees)("$name: requests and tokens by model", async (tree) => {
    const report = await usageOf(join(tree.folder, ".gemini"));
    expect(difference(tree, report)).toEqual(named[tree.name]?.tokens?.is ?? {});
  });

  const exact = trees.filter(({ name }) => named[name]?.tokens === undefined);

  test("most trees have no difference at all", () => {
    expect(exact.length / trees.length).toBeGreaterThan(0.75);
  });

  test.each(exact)("$name: cost, to the micro-dollar", async (tree) => {
    const { totals } = await usageOf(join(tree.folder, ".gemini"));
    let cost = 0n;
    for (const { kind, model = "", usage } of tree.truth.requests) {
      if (usage && (kind === "main" || kind === "subagent")) cost += costOf(usage, model);
    }
    expect(totals).toMatchObject({ unpricedRequests: 0 });
    expect(totals.costMicroUsd).toBe(Number((cost + 500_000n) / 1_000_000n));
  });

  test("counts every id once, like the index of the corpus", async () => {
    const wrong = [];
    for (const { name, folder, indexed } of trees) {
      const { totals } = await usageOf(join(folder, ".gemini"));
      const { total, tool, input, output } = indexed.onDisk.everyMessageId;
      const same = { total, tool, input, output };
      const { tokens } = totals;
      const ours = {
        total: tokens.total,
        tool: tokens.tool,
        input: tokens.input,
        output: tokens.output,
      };
      if (JSON.stringify(ours) !== JSON.stringify(same)) wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });

  const gone = trees.filter(({ name, snapshots }) => {
    return named[name]?.tokens?.why === "deleted" && snapshots.length > 0;
  });

  test.each(gone)(
    "$name: equals the API log when copies from before the deletion are added",
    async (tree) => {
      // Each copy is a separate root: the same replies are in up to five of them.
      const roots = tree.snapshots.map((snapshot) => {
        const root = mkdtempSync(join(tmpdir(), "pollux-snapshot-"));
        folders.push(root);
        cpSync(snapshot, join(root, ".gemini"), { recursive: true });
        return join(root, ".gemini");
      });
      const report = await usageOf(join(tree.folder, ".gemini"), ...roots);
      expect(difference(tree, report)).toEqual({});
    },
  );

  test("all trees read together have the requests of all trees", async () => {
    let apart = 0;
    const roots = trees.map(({ folder }) => join(folder, ".gemini"));
    const ids = new Set<string>();
    for (const root of roots) {
      for await (const call of libraryOf(root).calls()) {
        const isNew = !ids.has(call.message_id);
        ids.add(call.message_id);
        if (isNew) apart += 1;
      }
    }
    expect((await usageOf(...roots)).totals.requests).toBe(apart);
  });
});

test("a generated home has the sums that its generator counted, by model", async () => {
  const home = mkdtempSync(join(tmpdir(), "pollux-generated-"));
  folders.push(home);
  const { byModel, requests } = makeHome(home, 24, 5);
  const { rows, totals, coverage } = await usageOf(join(home, ".gemini"));
  // Gemini CLI records no cache writes: they are null, not 0.
  const ours = rows.map(({ key, tokens }) => {
    const { input, cached, cacheWrite, output, thoughts, tool, total } = tokens;
    expect(cacheWrite).toBeNull();
    return [key, { input, cached, cacheWrite: 0, output, thoughts, tool, total }];
  });
  expect(Object.fromEntries(ours)).toEqual(byModel);
  expect(totals.requests).toBe(requests);
  expect(coverage).toMatchObject({ damaged: 0, rejected: 0, oddRequests: 0 });
});
