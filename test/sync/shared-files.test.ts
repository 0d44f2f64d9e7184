import { hash } from "node:crypto";
import { expect, test } from "vitest";
import type { FileRole } from "../../src/core/files/session-file.ts";
import type { PutFileResult } from "../../src/core/team/sync-protocol.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Team } from "../../src/store/team.ts";
import { DeviceServer } from "../../src/team/device-server.ts";
import { ingestSent } from "../../src/team/ingest-sent.ts";

const DEVICE = { id: "d", person: 1, name: "laptop", madeMs: 0, expiresMs: 9 };
const ERASED = "5e551001-0000-4000-8000-000000000001";

/** A team with one store, a machine that sends files to it, and the files whose bytes were read. */
function sending(store: Store) {
  const opened: string[] = [];
  const texts = new Map<string, string>();
  const segments = {
    missing: async () => [],
    open: async (path: string) => memoryBytes(path, Buffer.from(texts.get(path) ?? "")),
  };
  const seen: Store = {
    ...store,
    bytes: (file) => {
      opened.push(file.path);
      return store.bytes(file);
    },
  };
  const team = { segmentsOf: () => segments, storeOf: () => seen } as unknown as Team;
  const server = new DeviceServer(team, DEVICE, { clock: () => 1 });
  const put = (path: string, role: FileRole, text: string): Promise<PutFileResult> => {
    texts.set(path, text);
    const common = { source: "agent", root: "/r", folder: "", isCleaned: false } as const;
    const sizeBytes = Buffer.byteLength(text);
    const digest = hash("sha256", text, "hex");
    const sent = { path, role, sizeBytes, digest, from: 0, segments: [], modifiedMs: 1, keptMs: 1 };
    return server.putFile({ ...common, ...sent });
  };
  return { opened, put, team };
}

const erase = (store: Store): Promise<void> => {
  const sessions = [{ source: "agent", id: ERASED }];
  return store.forget({ files: [], sessions, paths: [], nowMs: 1 });
};

test("a log that names an erased session is refused, with what was kept of it", async () => {
  const store = memoryStore();
  const { put } = sending(store);
  await put("/r/old.jsonl", "prompt-log", "another-session\n");
  await put("/r/other.jsonl", "prompt-log", "another-session\n");
  await erase(store);
  const grown = `another-session\n{"id":"${ERASED}"}\n`;
  expect(await put("/r/old.jsonl", "prompt-log", grown)).toEqual({ answer: "erased" });
  expect(await put("/r/new.jsonl", "evidence", grown)).toEqual({ answer: "erased" });
  expect((await store.known({})).map(({ path }) => path)).toEqual(["/r/other.jsonl"]);
  expect(await put("/r/old.jsonl", "prompt-log", "harmless")).toEqual({ answer: "erased" });
  expect(await put("/r/main.jsonl", "main", grown)).toEqual({ answer: "taken" });
});

test("a log that arrives while a session is erased does not stay", async () => {
  const store = memoryStore();
  const late: Store = {
    ...store,
    commit: async (batch) => {
      await erase(store);
      return store.commit(batch);
    },
  };
  const { put } = sending(late);
  expect(await put("/r/log.jsonl", "prompt-log", ERASED)).toEqual({ answer: "erased" });
  expect(await store.known({})).toEqual([]);
});

test("reading what was delivered does not open other logs, also after an erasure", async () => {
  const store = memoryStore();
  const { opened, put, team } = sending(store);
  await erase(store);
  await put("/r/other.jsonl", "prompt-log", "another-session\n");
  await put("/r/evidence", "evidence", "another-session\n");
  const reading = { sources: [], clock: () => 1 };
  opened.length = 0;
  await ingestSent(team, 1, reading);
  expect(opened).toEqual([]);
});
