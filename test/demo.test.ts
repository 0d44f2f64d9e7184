import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, expect, test } from "vitest";
import { main } from "../src/cli/main.ts";
import type { OutStream } from "../src/cli/print/writer.ts";
import { open } from "../src/library/library.ts";

const root = join(import.meta.dirname, "..");
const home = join(root, "demo", "home");
const made = mkdtempSync(join(tmpdir(), "pollux-demo-"));
afterAll(() => rmSync(made, { recursive: true, force: true }));

function bytesBelow(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.map(
    (file) => [relative(folder, file), readFileSync(file, "latin1")] as const,
  );
  return new Map(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

test("make-demo reproduces the committed demo byte for byte", () => {
  const script = join(root, "scripts", "make-demo.mjs");
  const run = spawnSync(process.execPath, [script, "--out", made], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
  const committed = bytesBelow(home);
  expect([...bytesBelow(made).keys()]).toEqual([...committed.keys()]);
  expect(bytesBelow(made)).toEqual(committed);
});

test("the demo is smaller than 1.2 MB", () => {
  const sizes = [...bytesBelow(home).values()].map(({ length }) => length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_200_000);
});

const library = open({ roots: [home] });
const { sessions, savedChats, promptLogs, coverage } = await library.sessions();

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

test("the demo is read with the expected counts", () => {
  expect(tally(sessions.map(({ kind }) => kind))).toEqual({ main: 48, subagent: 3 });
  expect(tally(sessions.map(({ status }) => status))).toEqual({
    success: 47,
    interrupted: 2,
    failure: 1,
    cancelled: 1,
  });
  expect(tally(sessions.map(({ project }) => project.name))).toEqual({
    "bakery-api": 16,
    "weather-dashboard": 12,
    infra: 9,
    "loja-site": 7,
    "kanji-cards": 6,
    "0bc1aad9ac68": 1,
  });
  expect(savedChats.map(({ tag }) => tag)).toEqual(["復習"]);
  expect(promptLogs.map(({ prompts }) => prompts.length)).toEqual([3]);
});

test("the demo has exactly one damaged line", () => {
  expect(coverage).toMatchObject({ files: 57, read: 57, damaged: 1 });
  expect(coverage.diagnostics.map(({ code }) => code)).toEqual(["torn-line"]);
});

test("the demo has all expected models and format generations", async () => {
  expect([...new Set(sessions.flatMap(({ models }) => models))].toSorted(byName)).toEqual([
    "claude-opus-5-5",
    "claude-sonnet-5",
    "gemini-2.5-flash",
    "gemini-2.5-flash-lite",
    "gemini-2.5-pro",
    "gemini-3-flash-preview",
    "gemini-3-pro-preview",
    "gpt-5.3-codex",
    "qwen3-coder-plus",
  ]);
  const { generations, files } = await library.doctor(demoNowMs());
  expect(generations.map(({ name }) => name)).toHaveLength(11);
  expect(files).toMatchObject({ copies: 5, stubs: 1 });
});

test("the demo has sessions at risk: one by its stub, three by age", async () => {
  const { atRisk } = await library.doctor(demoNowMs());
  const actual = atRisk.map(({ project, why, daysLeft }) => ({ project, why, daysLeft }));
  expect(actual).toEqual([
    { project: "infra", why: "resume-stub", daysLeft: null },
    { project: "infra", why: "age", daysLeft: -2 },
    { project: "weather-dashboard", why: "age", daysLeft: 2 },
    { project: "bakery-api", why: "age", daysLeft: 4 },
  ]);
});

function standing(title: string): unknown {
  return sessions.find((session) => session.title === title)?.messages;
}

test("rewound and rewritten messages of the demo are counted", () => {
  expect(standing("Add a loyalty discount to the order total")).toMatchObject({ rewound: 4 });
  expect(standing("Move orders to Postgres, step by step")).toMatchObject({ rewritten: 8 });
  expect(standing("Find the request that slows the page down")).toMatchObject({ rewritten: 4 });
});

test("subagents of the demo are linked to their parents and calls", () => {
  const agents = sessions.filter(({ kind }) => kind === "subagent");
  const parents = agents.map(({ parentId }) => sessions.find(({ id }) => id === parentId)?.title);
  expect(parents).toEqual([
    "Where is VAT rounded?",
    "Where do units get mixed up?",
    "Find out why pick-up times drift by an hour",
  ]);
  expect(agents.map(({ parentCallId }) => parentCallId !== null)).toEqual([true, true, true]);
});

test("the demo has sessions of every agent, and unrecorded usage", async () => {
  const { agents } = await library.doctor(demoNowMs());
  expect(agents.map(({ name, sessions: count }) => [name, count.main])).toEqual([
    ["Gemini CLI", 41],
    ["Claude Code", 3],
    ["Codex", 2],
    ["Qwen Code", 2],
  ]);
  const { unrecorded } = await library.usage({ by: ["agent"] });
  expect(unrecorded.map(({ model, tokens }) => [model, tokens.total])).toEqual([
    ["claude-haiku-4-5", 852],
    ["qwen3-coder-plus", 4302],
  ]);
});

test("every session of the demo has a start and an end time", () => {
  const untimed = sessions.filter(({ startedAt, updatedAt }) => !startedAt || !updatedAt);
  expect(untimed.map(({ id }) => id)).toEqual([]);
});

test("the last session of the demo ends on the day that counts as today", () => {
  const days = sessions.flatMap(({ updatedAt }) => updatedAt ?? []);
  expect(days[0]?.slice(0, 10)).toBe(new Date(demoNowMs()).toISOString().slice(0, 10));
});

test("the demo has a fixed clock, so that the last days have sessions", async () => {
  let out = "";
  const write = (text: string): boolean => {
    out += text;
    return true;
  };
  const stream: OutStream = { write, once: () => undefined };
  const args = ["sessions", "--demo", "--since", "2d", "--json"];
  const now = new Date("2031-03-01T12:00:00.000Z");
  await main(args, { stdout: stream, stderr: stream, env: {}, now });
  expect(out).toContain("Warn the riders when it will rain");
});

function demoNowMs(): number {
  const text = readFileSync(join(root, "demo", "demo.json"), "utf8");
  return Date.parse(/"now": "([^"]+)"/.exec(text)?.[1] ?? "");
}

function byName(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

test("keep and doctor count the same session files", async () => {
  const archive = join(mkdtempSync(join(tmpdir(), "pollux-kept-")), "archive.db");
  const keeping = open({ roots: [home], archive });
  const { roots } = await keeping.keep(Date.now());
  const { files } = await keeping.doctor(Date.now());
  await keeping.close();
  expect(roots.reduce((sum, { foundSessionFiles }) => sum + foundSessionFiles, 0)).toBe(
    files.total,
  );
});
