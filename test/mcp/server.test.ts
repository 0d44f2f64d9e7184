import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import type { McpContext } from "../../src/mcp/context.ts";
import { SecretMask } from "../../src/queries/redaction/secret-mask.ts";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { ask, askJson, connected } from "./client.ts";

const demo = join(import.meta.dirname, "../../demo/home");
const now = (): Date => new Date("2026-11-15T12:00:00Z");

function context(more: Partial<McpContext> = {}): McpContext {
  return { library: open({ roots: [demo], archive: "none" }), now, ...more };
}

interface Listed {
  sessions: { id: string; project: { path: string | null }; messages: object }[];
  total: number;
  next: string | null;
}

describe("tools", () => {
  test("have descriptions and are marked as read-only", async () => {
    const { tools } = await (await connected(context())).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "search",
      "sessions",
      "read",
      "file_history",
      "usage",
      "explain",
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.every(({ description = "" }) => description.length > 60)).toBe(true);
  });

  test("list all sessions page by page, each once", async () => {
    const client = await connected(context());
    const ids: string[] = [];
    let page: Listed = await askJson(client, "sessions");
    for (;;) {
      ids.push(...page.sessions.map(({ id }) => id));
      if (page.next === null) break;
      page = await askJson(client, "sessions", { cursor: page.next });
    }
    expect(ids).toHaveLength(page.total);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("return a whole conversation in pieces that fit together", async () => {
    const client = await connected(context());
    const whole = (await ask(client, "read", { session: "latest", characters: 100_000 })).text;
    const pieces: string[] = [];
    let next: string | null | undefined;
    do {
      const input = { session: "latest", characters: 500, ...(next ? { cursor: next } : {}) };
      const { text } = await ask(client, "read", input);
      const [head = "", ...rest] = text.split("\n\n");
      next = (JSON.parse(head) as { next: string | null }).next;
      pieces.push(rest.join("\n\n"));
    } while (next !== null);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every((piece) => piece.length <= 500)).toBe(true);
    const words = (text: string): string => text.replaceAll(/\s+/g, "");
    expect(words(pieces.join(""))).toBe(words(whole.slice(whole.indexOf("\n\n"))));
  });

  test("find words and return the message of a hit in full", async () => {
    const client = await connected(context());
    const { hits } = await askJson<{ hits: { sessionId: string; messageId: string }[] }>(
      client,
      "search",
      { query: "test*", in: ["prompts"] },
    );
    const { sessionId = "", messageId = "" } = hits[0] ?? {};
    const { text } = await ask(client, "read", { session: sessionId, message: messageId });
    expect(text).toContain(`[${messageId}]`);
    expect(text.toLowerCase()).toContain("test");
  });

  test("return the rows of a report in pages", async () => {
    const mine = context();
    const client = await connected(mine);
    type Rows = Pick<Listed, "total" | "next"> & { rows: { key: string }[] };
    const keys: string[] = [];
    let piece: Rows = await askJson(client, "usage", { by: "day", limit: 7 });
    for (;;) {
      expect(piece.rows.length).toBeLessThanOrEqual(7);
      keys.push(...piece.rows.map(({ key }) => key));
      if (piece.next === null) break;
      piece = await askJson(client, "usage", { by: "day", limit: 7, cursor: piece.next });
    }
    const { rows } = await mine.library.usage({ by: ["day"] });
    expect(keys).toEqual(rows.map(({ key }) => key));
    expect(piece.total).toBe(rows.length);
  });

  test("count as the library does", async () => {
    const mine = context();
    const client = await connected(mine);
    const answer = await askJson(client, "usage", { by: "model" });
    const report = await mine.library.usage({ by: ["model"] });
    const whole = { ...report, total: report.rows.length, next: null };
    expect(answer).toEqual(JSON.parse(JSON.stringify(whole)));
    const { sessions } = await mine.library.sessions({ limit: 1 });
    const id = sessions[0]?.id ?? "";
    const explained = await askJson<{ totals: object }>(client, "explain", { of: id });
    expect(explained.totals).toEqual(
      JSON.parse(JSON.stringify((await mine.library.explain(id)).totals)),
    );
  });
});

describe("write access of an agent", () => {
  function kept(): Library {
    const folder = mkdtempSync(join(tmpdir(), "pollux-mcp-"));
    const library = open({ roots: [demo], archive: join(folder, "archive.db") });
    onTestFinished(async () => {
      await library.close();
      rmSync(folder, { recursive: true, force: true });
    });
    return library;
  }

  test("is off unless the user allows tags and notes", async () => {
    const library = kept();
    await library.keep(now().getTime());
    const { tools } = await (await connected({ library, now })).listTools();
    expect(tools.some(({ name }) => name === "annotate")).toBe(false);
    const client = await connected({ library, now, access: "write" });
    const added = await ask(client, "annotate", {
      session: "latest",
      addTags: ["rain"],
      note: "see the map",
    });
    expect(added).toMatchObject({ isError: false });
    const { things } = await library.own.list();
    expect(things).toMatchObject([{ own: { tags: ["rain"], note: "see the map" } }]);
  });
});

describe("the history of a file", () => {
  test("contains sessions, prompts and files", async () => {
    const client = await connected(context());
    const { sessions, total } = await askJson<{
      sessions: { uses: { prompt: object | null; files: object[] }[] }[];
      total: number;
    }>(client, "file_history", { path: "src/hours.ts" });
    expect(total).toBeGreaterThan(0);
    expect(sessions[0]?.uses[0]?.prompt).not.toBeNull();
    expect(sessions.every(({ uses }) => uses.every(({ files }) => files.length > 0))).toBe(true);
  });
});

describe("the project folder", () => {
  async function projects(): Promise<[string, string]> {
    const { sessions } = await context().library.sessions();
    const paths = sessions.flatMap(({ project }) => project.path ?? []);
    const [first = "", other = ""] = new Set(paths);
    expect(other).not.toBe("");
    return [first, other];
  }

  test('limits every answer unless "everywhere" is requested', async () => {
    const [folder, other] = await projects();
    const client = await connected(context({ folder }));
    const own: Listed = await askJson(client, "sessions");
    expect(new Set(own.sessions.map(({ project }) => project.path))).toEqual(new Set([folder]));
    const all: Listed = await askJson(client, "sessions", { everywhere: true });
    expect(all.total).toBeGreaterThan(own.total);
    const foreign = await context().library.sessions({ folder: other });
    const id = foreign.sessions[0]?.id ?? "";
    for (const [tool, input] of [
      ["read", { session: id }],
      ["explain", { of: id }],
    ] as const) {
      const refused = await ask(client, tool, input);
      expect(refused).toMatchObject({ isError: true });
      expect(refused.text).toContain("everywhere");
      expect((await ask(client, tool, { ...input, everywhere: true })).isError).toBe(false);
    }
    const { hits } = await askJson<{ hits: { sessionId: string }[] }>(client, "search", {
      query: "the",
    });
    const ids = new Set(own.sessions.map((session) => session.id));
    expect(hits.every(({ sessionId }) => ids.has(sessionId))).toBe(true);
  });

  test("has its own latest session, or a helpful error", async () => {
    const [folder] = await projects();
    const own = await connected(context({ folder }));
    expect((await ask(own, "read", { session: "latest" })).isError).toBe(false);
    const empty = await connected(context({ folder: "/nowhere" }));
    const refused = await ask(empty, "read", { session: "latest" });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain("/nowhere");
  });
});

describe("invalid requests", () => {
  test.each([
    ["read", {}],
    ["read", { session: "../../etc/passwd" }],
    ["read", { session: "latest", cursor: "x" }],
    ["read", { session: "latest", message: "none" }],
    ["read", { session: "latest", characters: -1 }],
    ["read", { session: "\u001b[2J" }],
    ["sessions", { cursor: "-1" }],
    ["sessions", { since: "whenever" }],
    ["search", { query: "" }],
    ["search", { query: "x".repeat(401) }],
    ["usage", { by: "nothing" }],
    ["usage", { cursor: "x" }],
    ["usage", { group: "model" }],
    ["search", { query: "the", projekt: "bakery" }],
    ["explain", { of: "no-such-thing" }],
    ["sessions", { agent: "nobody" }],
  ])("are answered with an error message: %s %j", async (tool, input) => {
    const client = await connected(context());
    const { isError, text } = await ask(client, tool, input);
    expect(isError).toBe(true);
    expect(text.length).toBeGreaterThan(10);
    if ("group" in input) expect(text).toContain("group");
    expect(text).not.toMatch(/\n\s+at /);
    expect((await ask(client, "sessions")).isError).toBe(false);
  });

  test("an unknown tool is a protocol error", async () => {
    const client = await connected(context());
    await expect(client.callTool({ name: "forget", arguments: {} })).rejects.toThrow(/forget/);
  });

  test("the server keeps answering after a cancelled request", async () => {
    const client = await connected(context());
    const stop = new AbortController();
    const asked = client.callTool(
      { name: "search", arguments: { query: "the" } },
      { signal: stop.signal },
    );
    stop.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    expect((await ask(client, "sessions")).isError).toBe(false);
  });
});

test("control characters in session text are removed from answers", async () => {
  const hostile = jsonl(header("s1"), user("p1", 1, "red \u001b[31m bell \u0007 \u202eback"));
  const { library } = homeWith({ "chats/session-2026-02-10T17-28-s1.jsonl": hostile });
  const { text } = await ask(await connected({ library, now }), "read", { session: "latest" });
  expect(text).toContain("red");
  expect(text.search(/[\u001b\u0007\u202e]/)).toBe(-1);
});

describe("resources and the prompt", () => {
  test("a session is a resource and can be read by its URI", async () => {
    const client = await connected(context());
    const { resources } = await client.listResources();
    const uri = resources[0]?.uri ?? "";
    expect(uri).toMatch(/^pollux:\/\/session\//);
    const { contents } = await client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain("prompt");
  });

  test('the prompt "continue" contains an earlier session', async () => {
    const client = await connected(context());
    const { messages } = await client.getPrompt({
      name: "continue",
      arguments: { session: "latest" },
    });
    expect(JSON.stringify(messages)).toContain("earlier session");
  });
});

describe("secrets", () => {
  const secret = ["AI", "zaSyD3mo-Only-0123456789abcdefghijklm"].join("");
  const file = jsonl(
    header("s1"),
    user("p1", 1, `Why does ${"much ".repeat(40)}the key ${secret} fail?`),
    model("a1", 2, `Rotate ${secret}, then run deploy.`),
  );

  test.each([
    ["search", { query: "key" }],
    ["search", { query: "rotate" }],
    ["read", { session: "latest" }],
    ["read", { session: "latest", message: "a1" }],
  ])("are masked in the answer of %s: %j", async (tool, input) => {
    const { library } = homeWith({ "chats/session-2026-02-10T17-28-s1.jsonl": file });
    const plain = await ask(await connected({ library, now }), tool, input);
    const mask = await SecretMask.load();
    const masked = await ask(await connected({ library, now, mask }), tool, input);
    expect(plain.text).toContain(secret.slice(0, 12));
    expect(masked.text).not.toContain(secret.slice(0, 12));
    expect(masked.text).toContain("[secret:google-api-key#1]");
    expect(masked.text).toContain("s1");
  });
});
