// @module-tag slow
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { importVersion } from "../../src/store/import-version.ts";
import type { Served } from "./served.ts";
import { machineOf, postgres, served } from "./served.ts";

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const FILE = {
  source: "gemini-cli",
  root: "/r",
  path: "/r/a.json",
  role: "main",
  folder: "",
  isCleaned: false,
  modifiedMs: 1,
  keptMs: 1,
  sizeBytes: 0,
  digest: EMPTY,
  from: 0,
  segments: [],
};
const named = { id: "s", source: "gemini-cli" };
const rows = { summary: { ...named, project: {} }, session: named, usage: [], tools: [] };

/** Bodies that no machine sends, by request. */
const MALFORMED: readonly (readonly [string, unknown])[] = [
  ...["open", "close", "held", "missing", "files", "told", "drop"].flatMap((what) => {
    return [null, [null], 5, "text", {}].map((body) => [what, body] as const);
  }),
  ["open", { session: "s", team: 5 }],
  ["held", [{ source: 5, root: {}, folder: null }]],
  ["missing", ["not a digest"]],
  ["drop", [{ source: "gemini-cli" }]],
  ["files", { ...FILE, path: "/elsewhere/a.json" }],
  ["files", { ...FILE, role: 5 }],
  ["files", { ...FILE, sizeBytes: -1 }],
  ["files", { ...FILE, modifiedMs: "now" }],
  ["files", { ...FILE, isCleaned: "no" }],
  ["files", { ...FILE, goneSinceMs: "never" }],
  ["told", { level: "full", rows: { ...rows, agentCalls: [] } }],
  ["told", { level: "usage", rows: { ...rows, agentCalls: [null] } }],
  ["told", { level: "usage", rows: { ...rows, agentCalls: [] } }],
  ["told", { level: "usage", rows: { ...rows, usage: [{ at: 5 }], agentCalls: [] } }],
];

/** Keeps rows without a project; they must not keep others from being read. */
async function keepMisfit({ admin }: Served): Promise<void> {
  const { id: viewer } = await admin.person("ada@example.com");
  const store = admin.team.storeOf({ viewer, role: "developer" });
  const machine = { uid: "m", name: "m" };
  const root = await store.addRoot(
    { source: "gemini-cli", path: "told", how: "usual", machine },
    1,
  );
  const bytes = Buffer.from(JSON.stringify({ ...rows, summary: named, agentCalls: [] }));
  const seen = { folder: "", isCleaned: false, modifiedMs: 1, sizeBytes: bytes.length };
  const path = "told/s.json";
  await importVersion(store, {
    rootId: root.id,
    file: { path, root: "told", role: "companion", ...seen },
    keptMs: 1,
    digest: hash("sha256", bytes, "hex"),
    bytes: memoryBytes(path, bytes),
  });
}

describe.skipIf(!postgres.isAvailable)(`a request of a machine${postgres.skipReason}`, () => {
  test("is refused if it is malformed, and nothing of it stays", async () => {
    const server = await served();
    const { env } = await machineOf(server, "ada@example.com");
    const settings = readFileSync(join(env["POLLUX_HOME"] ?? "", "sync.json"), "utf8");
    const { token } = JSON.parse(settings) as { token: string };
    const headers = { "Pollux-Protocol": "1", Authorization: `Bearer ${token}` };
    for (const [what, body] of MALFORMED) {
      const sent = { method: "POST", headers, body: JSON.stringify(body) };
      const { status } = await fetch(`${server.url}/sync/${what}`, sent);
      expect([what, body, status]).toEqual([what, body, 400]);
    }
    // Rows that do not fit would fail again here.
    expect(await server.admin.rebuild()).toBe(0);
    expect(await server.admin.doctor()).toMatchObject({ sessions: 0, unread: 0 });
    await keepMisfit(server);
    expect(await server.admin.rebuild()).toBe(0);
  }, 120_000);
});
