// @module-tag slow
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demoHome } from "../../src/cli/package-folder.ts";
import { run } from "../cli/run.ts";
import type { Machine, Served } from "./served.ts";
import { idle, machineOf, postgres, served } from "./served.ts";

const WORD = "zebrafinch";
const GEMINI = "4aa86d29-cd71-4b3c-8df1-83e6c3f081e6";
const CODEX = "01a1d04f-791e-7935-8968-f4dd46c1a357";

/** A machine with two sessions that have the word in prompts, logs of prompts and titles. */
async function planted(server: Served): Promise<Machine> {
  const machine = await machineOf(server, "ada@example.com");
  const { home } = machine;
  cpSync(join(demoHome(), ".codex"), join(home, ".codex"), { recursive: true });
  for (const path of filesIn(home)) {
    const text = readFileSync(path, "utf8");
    const isMeant = path.includes(GEMINI.slice(0, 8)) || path.includes(CODEX);
    const changed = isMeant
      ? text.replaceAll(/"text":"(?=\S)/g, `"text":"${WORD} `)
      : text.replaceAll("一語で", WORD).replaceAll(/three cakes|Take all items/g, WORD);
    if (changed !== text) writeFileSync(path, changed);
  }
  return machine;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

async function send({ admin }: Served, { home, env }: Machine): Promise<void> {
  expect(await run(["sync", "--now", "--root", home], { env })).toMatchObject({ code: 0 });
  await idle(admin);
}

/** Where the word still is: tables, stored bytes, and pages of the database's files. */
async function placesOf({ admin, dsn }: Served, text: string): Promise<string[]> {
  const places = await postgres.tablesWith(dsn, text);
  const { id } = await admin.person("ada@example.com");
  const segments = admin.team.segmentsOf(id);
  for (const { name } of await postgres.sql(
    dsn,
    "SELECT encode(digest, 'hex') AS name FROM chunks",
  )) {
    const bytes = await segments.open("chunk", [String(name)]);
    const stored = [...(bytes?.chunks() ?? [])].map((chunk) => Buffer.from(chunk));
    if (Buffer.concat(stored).includes(text)) places.push("chunks");
  }
  return [...places, ...(await pagesWith(dsn, text))];
}

/** Files of the database's tables and indexes with this text, after all of them were rewritten. */
async function pagesWith(dsn: string, text: string): Promise<string[]> {
  const folder = new URL(dsn).searchParams.get("host");
  // The files of a server that was not started here cannot be read.
  if (folder === null || process.env["POLLUX_TEST_DSN"]) return [];
  const schema = new URL(dsn).searchParams.get("schema") ?? "";
  const tables = await postgres.sql(
    dsn,
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = '${schema}'::regnamespace`,
  );
  const files = await postgres.sql(
    dsn,
    ...tables.map(({ relname }) => `VACUUM FULL ${String(relname)}`),
    "CHECKPOINT",
    `WITH own AS (SELECT oid, reltoastrelid FROM pg_class
        WHERE relnamespace = '${schema}'::regnamespace)
      SELECT pg_relation_filepath(oid) AS path FROM pg_class WHERE relfilenode <> 0
        AND oid IN (SELECT oid FROM own UNION SELECT reltoastrelid FROM own)`,
  );
  return files
    .map(({ path }) => join(folder, "cluster", String(path)))
    .filter((path) => readFileSync(path).includes(text));
}

describe.skipIf(!postgres.isAvailable)(`an erased session${postgres.skipReason}`, () => {
  test("leaves no word anywhere, and is not sent again by any machine", async () => {
    const server = await served();
    const env = { POLLUX_STORE: server.dsn };
    const machine = await planted(server);
    await send(server, machine);
    const before = await placesOf(server, WORD);
    expect(before).toEqual(expect.arrayContaining(["chunks", "sessions"]));
    for (const id of [GEMINI, CODEX]) {
      const erase = ["team", "erase", "ada@example.com", "--session", id, "--yes"];
      expect(await run(erase, { env })).toMatchObject({ code: 0 });
    }
    expect(await placesOf(server, WORD)).toEqual([]);
    const own = ["sessions", "--json", "--owner", "ada@example.com", "--reason", "a test"];
    const { sessions: others } = JSON.parse((await run(own, { env })).out);
    expect(others.length).toBeGreaterThan(3);

    // A new session in the same folders: they are compared again.
    const chats = join(machine.home, ".gemini/tmp/kanji-cards/chats");
    const former = join(chats, "session-2026-11-08T10-48-cec8bc3e.jsonl");
    const text = readFileSync(former, "utf8").replaceAll("cec8bc3e", "cec8bc3f");
    writeFileSync(former.replace("cec8bc3e", "cec8bc3f"), text);
    await send(server, machine);

    // Another machine has the same sessions elsewhere, and the first one has to offer everything.
    await send(server, await planted(server));
    await server.admin.team.newEpoch();
    await send(server, machine);
    expect(await placesOf(server, WORD)).toEqual([]);
    const { sessions } = JSON.parse((await run(own, { env })).out);
    expect(sessions).toHaveLength(others.length + 1);
  }, 240_000);
});
