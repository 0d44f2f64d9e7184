import { join } from "node:path";
import { expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import { ask, askJson, connected } from "./client.ts";

const demo = join(import.meta.dirname, "../../demo/home");
const now = (): Date => new Date("2026-11-15T12:00:00Z");

test("search and sessions take filters and a limit", async () => {
  interface Listed {
    sessions: { id: string; project: { name: string } }[];
    next: string | null;
  }
  const library = open({ roots: [demo], archive: "none" });
  const client = await connected({ library, now });
  const filter = { project: "bakery", limit: 2 };
  const first = await askJson<Listed>(client, "sessions", filter);
  const second = await askJson<Listed>(client, "sessions", { ...filter, cursor: first.next });
  const listed = [...first.sessions, ...second.sessions];
  expect(new Set(listed.map(({ id }) => id)).size).toBe(4);
  expect(new Set(listed.map(({ project }) => project.name))).toEqual(new Set(["bakery-api"]));
  const touched = await askJson<Listed>(client, "sessions", { path: "src/hours.ts" });
  expect(touched.sessions).toHaveLength(2);
  const called = { query: "hours", tool: "write_file", model: "gemini-3-pro" };
  const { hits } = await askJson<{ hits: { sessionId: string }[] }>(client, "search", called);
  expect(hits.some(({ sessionId }) => sessionId === touched.sessions[0]?.id)).toBe(true);
  const limited = await askJson<{ hits: unknown[] }>(client, "search", { ...called, limit: 1 });
  expect(limited.hits).toHaveLength(1);
  expect(await ask(client, "sessions", { limit: 0 })).toMatchObject({ isError: true });
});
