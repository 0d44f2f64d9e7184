import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { exports } from "../../src/exports/index.ts";
import type { Library, OpenOptions } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import { sources } from "../../src/sources/index.ts";
import { sourceContract } from "../contracts/source.ts";
import { ask, NOW, started } from "../server/samples.ts";
import { tinyAgent } from "../samples/tiny-agent.ts";

const home = join(import.meta.dirname, "../fixtures/tiny-agent");
const environment = {
  env: {},
  tempDir: "/nowhere",
  platform: "linux",
  requestedRoots: [],
} as const;

/** Opens all agents of the home, with the tiny one as one more source. */
function opened(options: OpenOptions = {}): Library {
  const library = open({
    sources: [...sources, tinyAgent],
    environment: { ...environment, homeDir: home },
    clock: () => NOW,
    ...options,
  });
  onTestFinished(() => library.close());
  return library;
}

/** The three ways to an answer: from the disk, from a store, and read in full. */
const WAYS = {
  disk: () => ({}),
  store: () => ({ archive: join(mkdtempSync(join(tmpdir(), "pollux-tiny-")), "archive.db") }),
  fresh: () => ({ refresh: "fresh" }),
} as const;

describe.each(["disk", "store", "fresh"] as const)("a new agent, answered from %s", (way) => {
  test("has a list and transcripts", async () => {
    const library = opened(WAYS[way]());
    const { sessions, coverage } = await library.sessions();
    expect(sessions.map(({ id }) => id)).toEqual(["first", "second"]);
    expect(sessions[0]).toMatchObject({
      id: "first",
      source: "tiny-agent",
      title: "What is the total?",
      prompts: 2,
      status: "interrupted",
      tokens: { input: 12, output: 3, total: 15 },
    });
    expect(coverage.diagnostics.map(({ code }) => code)).toEqual(["torn-line"]);
    const { messages } = await library.transcript("first");
    expect(messages.map(({ author, text }) => [author, text])).toEqual([
      ["user", "What is the total?"],
      ["model", "42."],
      ["user", "Thanks."],
    ]);
  });

  test("has usage, tools, texts and a doctor's report", async () => {
    const library = opened(WAYS[way]());
    const { rows } = await library.usage({ by: ["agent"] });
    expect(rows).toMatchObject([
      { key: "tiny-agent", requests: 1, tokens: { input: 12, output: 3, total: 15 } },
    ]);
    expect((await library.usage({ by: ["day"], source: "tiny" })).rows).toMatchObject([
      { key: "2026-05-04", tokens: { total: 15 } },
    ]);
    expect(await library.tools()).toMatchObject({ tools: [] });
    const { hits } = await library.search("total");
    expect(hits.map(({ sessionId, role }) => [sessionId, role])).toEqual([["first", "prompt"]]);
    const { agents } = await library.doctor(NOW);
    expect(agents.map(({ source }) => source)).toContain("tiny-agent");
  });
});

describe("a new agent beside the others", () => {
  test.each(exports.map(({ name }) => name))("is exported as %s", async (to) => {
    const names: string[] = [];
    for await (const { name, sessionIds, chunks } of opened().export(
      { ids: ["first"] },
      { to, nowMs: NOW },
    )) {
      for await (const _ of chunks) if (!names.includes(name)) names.push(name);
      expect(sessionIds).toEqual(["first"]);
    }
    // An agent trace has only edited files, and this agent edits none.
    if (to !== "agent-trace") expect(names).not.toEqual([]);
  });

  test("is served to the browser app", async () => {
    const { port, token } = await started("/nowhere", { open: async () => opened() });
    const headers = { authorization: `Bearer ${token}` };
    const get = async (path: string): Promise<unknown> =>
      (await ask({ port, path, headers })).json();
    const agent = { id: "tiny-agent", name: "Tiny Agent" };
    expect(await get("/api/about")).toMatchObject({
      agents: [agent],
      sources: [...sources, tinyAgent].map(({ name }) => name),
    });
    expect(await get("/api/sessions")).toMatchObject({ sessions: [{ id: "first" }, {}] });
    expect(await get("/api/sessions/first")).toMatchObject({ messages: [{}, { text: "42." }, {}] });
    // The agent cannot restore sessions: an answer, because each session's page asks.
    expect(await get("/api/sessions/first/resume")).toBeNull();
    expect(await get("/api/usage?by=agent")).toMatchObject({ rows: [{ key: "tiny-agent" }] });
    expect(await get("/api/search?q=total")).toMatchObject({ hits: [{ role: "prompt" }] });
  });

  test("is not claimed by other sources", () => {
    const requestedRoots = [join(home, ".tiny")];
    const claimed = sources.flatMap((source) => {
      return source.roots({ ...environment, homeDir: home, requestedRoots });
    });
    expect(claimed).toEqual([]);
  });
});

sourceContract(tinyAgent, [{ name: "its home", roots: [join(home, ".tiny")] }]);
