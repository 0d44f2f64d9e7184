import { utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { READER_VERSION } from "../../src/ingest/reader-version.ts";
import { open } from "../../src/library/library.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { lines, makeRoot, NOW, run } from "./run.ts";

const OLD = "session-2026-09-01T10-00-aaaaaaaa.jsonl";
const NEW = "session-2026-11-15T10-00-bbbbbbbb.jsonl";
const RESUMED = "session-2026-11-10T10-00-cccccccc.jsonl";
const STUB = "session-2026-11-14T10-00-cccccccc.jsonl";

function session(id: string, at: string, text?: string): string {
  const head = { sessionId: id, projectHash: "f".repeat(64), startTime: at, lastUpdated: at };
  const said = { id: `${id}-1`, timestamp: at, type: "user", content: [{ text }] };
  return lines(head, ...(text === undefined ? [] : [said]));
}

function home(): string {
  const at = (name: string): string => `tmp/app/chats/${name}`;
  return makeRoot({
    [at(OLD)]: session("aaaaaaaa-1", "2026-09-01T10:00:00.000Z", "an old question"),
    [at(NEW)]: session("bbbbbbbb-1", "2026-11-15T10:00:00.000Z", "a new question"),
    [at(RESUMED)]: session("cccccccc-1", "2026-11-10T10:00:00.000Z", "a resumed question"),
    [at(STUB)]: session("cccccccc-1", "2026-11-14T10:00:00.000Z"),
  });
}

/**
 * Like `home`, but with old modification times, so that the files count as settled. The time of a
 * file's last change of state cannot be set: a later write within 20 ms could go unnoticed.
 */
async function settledHome(): Promise<string> {
  const root = home();
  const then = new Date("2025-11-15T10:00:00Z");
  for (const name of [OLD, NEW, RESUMED, STUB])
    utimesSync(join(root, "tmp/app/chats", name), then, then);
  await setTimeout(50);
  return root;
}

function envOf(root: string): Record<string, string> {
  return { POLLUX_HOME: join(root, "..", "kept"), HOME: join(root, "..") };
}

test("keep warns about unkept sessions at risk before it ingests, and only then", async () => {
  const root = await settledHome();
  const env = envOf(root);
  const kept: number[] = [];
  let out = "";
  const note = async (text: string): Promise<void> => {
    const options = { roots: [root], archive: env["POLLUX_HOME"] ?? "", environment: { env } };
    const library = open({ ...options, refresh: "none" });
    kept.push((await library.archive.safety())?.keptFiles ?? 0);
    await library.close();
    out += text;
  };
  // The stream is "full" until the number of kept files is read, so the program waits.
  let noted = Promise.resolve();
  const stdout = {
    columns: 120,
    write: (text: string) => {
      noted = note(text);
      return false;
    },
    once: (_event: string, goOn: () => void) => void noted.then(goOn),
  };
  const stderr = { write: () => true, once: () => undefined };
  const world = { stdout, stderr, env, now: NOW };
  expect(await main(["keep", "--root", root], world)).toBe(0);
  expect(kept).toEqual([0, 4]);
  expect(out).toMatch(
    /^2 sessions will be deleted .* are not archived yet\. They are archived first:\n/,
  );
  expect(out.split("\n").slice(1, 4)).toEqual([
    "  app, next start, resumed: a resumed question",
    "  app, next start: an old question",
    "",
  ]);
  expect(out).toContain("2 sessions will be deleted by Gemini CLI; all of them are archived now.");
  const again = await run(["keep", "--root", root], { env });
  expect(again.out).toContain("2 sessions will be deleted by Gemini CLI. Archived:\n");
  expect(again.out).not.toContain("not archived yet");
});

test("unkeptAtRisk finds the sessions at risk that keep reports, with any modification times", async () => {
  for (const hasOwnTimes of [false, true]) {
    const root = home();
    const env = envOf(root);
    if (hasOwnTimes) {
      const old = new Date("2026-09-01T10:00:00Z");
      utimesSync(join(root, "tmp/app/chats", OLD), old, old);
    }
    const library = open({ roots: [root], archive: "default", environment: { env } });
    const first = await library.unkeptAtRisk(NOW.getTime());
    const { atRisk } = await library.keep(NOW.getTime(), first);
    expect([...first.files].toSorted()).toEqual(atRisk.flatMap(({ files }) => files).toSorted());
    expect(first.sessions).toBe(atRisk.length);
    await library.close();
  }
});

test("sessions above the maximum count are at risk, in unkeptAtRisk, keep and doctor", async () => {
  const root = makeRoot({
    "settings.json": '{"general": {"sessionRetention": {"enabled": true, "maxCount": 3}}}',
    ...Object.fromEntries(
      ["10", "11", "12", "13"].map((day) => {
        const name = `tmp/app/chats/session-2026-11-${day}T10-00-aaaaaa${day}.jsonl`;
        return [name, session(`aaaaaa${day}-1`, `2026-11-${day}T10:00:00.000Z`, `asked ${day}`)];
      }),
    ),
    // Another project, with only one session.
    "tmp/other/chats/session-2026-11-01T10-00-bbbbbbbb.jsonl": session(
      "bbbbbbbb-1",
      "2026-11-01T10:00:00.000Z",
      "asked alone",
    ),
  });
  const library = open({ roots: [root], archive: "default", environment: { env: envOf(root) } });
  const first = await library.unkeptAtRisk(NOW.getTime());
  expect(first.named.map(({ title, why }) => [title, why])).toEqual([
    ["asked 10", "count"],
    ["asked 11", "count"],
  ]);
  const { atRisk } = await library.keep(NOW.getTime(), first);
  expect(atRisk.map(({ why }) => why)).toEqual(["count", "count"]);
  expect(new Set(atRisk.map(({ title }) => title))).toEqual(new Set(["asked 10", "asked 11"]));
  await library.close();
  const { out } = await run(["doctor", "--root", root], { env: envOf(root) });
  expect(out).toContain("next start, over limit");
});

test("keep ingests sessions at risk before newer ones", async () => {
  const root = home();
  const library = open({ roots: [root], archive: "default", environment: { env: envOf(root) } });
  await library.keep(NOW.getTime());
  await library.close();
  const store = await openSqliteStore(library.archive.path, { reader: READER_VERSION });
  const files = await store.known({});
  await store.close();
  const order = files.toSorted((a, b) => a.id - b.id).map(({ path }) => basename(path));
  expect(order.at(-1)).toBe(NEW);
});

test("keep does not warn about forgotten sessions", async () => {
  const root = await settledHome();
  const env = envOf(root);
  await run(["keep", "--root", root], { env });
  await run(["forget", "aaaaaaaa", "--yes", "--root", root], { env });
  const { out } = await run(["keep", "--root", root], { env });
  expect(out).not.toContain("not archived yet");
  const { out: actual } = await run(["doctor", "--json", "--root", root], { env });
  expect(JSON.parse(actual)).toMatchObject({ archive: { keptFiles: 3, unkeptFiles: 0 } });
});

test("doctor reports sessions at risk before anything is kept", async () => {
  const root = await settledHome();
  const env = envOf(root);
  const ask = async (...args: string[]): Promise<string> => {
    return (await run(["doctor", "--root", root, ...args], { env, columns: 120 })).out;
  };
  const before = await ask("--no-refresh");
  expect(before).toContain("2 sessions will be deleted by their agents; none is archived yet");
  expect(JSON.parse(await ask("--no-refresh", "--json"))).toMatchObject({
    atRisk: [],
    archive: { keptFiles: 0, unkeptFiles: 4, unkeptAtRisk: 2 },
  });
  await run(["keep", "--root", root], { env });
  expect(await ask()).toContain("2 sessions will be deleted by Gemini CLI; all are archived");
});
