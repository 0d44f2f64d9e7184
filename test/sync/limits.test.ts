import type { IncomingMessage } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PolluxError } from "../../src/core/error.ts";
import type { SyncServer } from "../../src/core/team/sync-protocol.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { loadScanner } from "../../src/queries/redaction/scanner.ts";
import { replyTo } from "../../src/server/reply.ts";
import { SyncRequests } from "../../src/server/sync-requests.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Team } from "../../src/store/team.ts";
import { maskedBytes } from "../../src/sync/masked-bytes.ts";
import { RemoteServer } from "../../src/sync/remote.ts";
import { SyncFiles } from "../../src/sync/settings.ts";
import { sync } from "../../src/sync/sync.ts";
import { DeviceServer } from "../../src/team/device-server.ts";
import { begin, keep } from "../contracts/kept-samples.ts";

/** Starts a server that sends these answers in order, then 200. */
async function answering(
  answers: [status: number, headers?: Record<string, string>][],
): Promise<string> {
  const server = createServer((_, response) => {
    const [status, headers = {}] = answers.shift() ?? [200];
    const code = status === 507 ? "archive-full" : "busy";
    response.writeHead(status, headers);
    response.end(
      JSON.stringify(status === 200 ? { team: "red" } : { error: { code, message: "-" } }),
    );
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", () => done()));
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(address: string): { server: RemoteServer; waits: number[] } {
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  return { server: new RemoteServer(address, { token: "t", wait }), waits };
}

test("retries a busy server after the requested delay, without a limit of tries", async () => {
  const busy: [number, Record<string, string>] = [429, { "Retry-After": "2" }];
  const { server, waits } = clientOf(await answering(Array.from({ length: 40 }, () => busy)));
  expect(await server.policy()).toMatchObject({ team: "red" });
  expect(waits).toHaveLength(40);
  // Jitter: not all machines come back at the same moment.
  for (const ms of waits) expect(ms >= 2000 && ms <= 3000).toBe(true);
});

test("retries an unavailable server a few times, and does not retry a full one", async () => {
  const away: [number, Record<string, string>] = [503, { "Retry-After": "5" }];
  const first = clientOf(await answering([away, away]));
  expect(await first.server.policy()).toMatchObject({ team: "red" });
  expect(first.waits).toHaveLength(2);
  const second = clientOf(await answering(Array.from({ length: 9 }, () => away)));
  await expect(second.server.policy()).rejects.toMatchObject({ code: "busy" });
  const full = clientOf(await answering([[507]]));
  await expect(full.server.policy()).rejects.toMatchObject({ code: "archive-full" });
  expect(full.waits).toEqual([]);
});

test("errors of the store have the HTTP status that clients expect", () => {
  const actual = ["busy", "archive-full", "store-unreachable"].map((code) => {
    const { status, headers = {} } = replyTo(new PolluxError(code, "-"));
    return [status, "Retry-After" in headers];
  });
  expect(actual).toEqual([
    [429, true],
    [507, false],
    [503, true],
  ]);
});

const DEVICE = { id: "d", person: 1, name: "laptop", madeMs: 0, expiresMs: 9 };

/** A team whose store never answers. */
function silentTeam(): Team {
  const never = new Promise<never>(() => undefined);
  const devices = { byToken: async () => DEVICE };
  const segments = { missing: () => never };
  const store = memoryStore();
  return { devices, segmentsOf: () => segments, storeOf: () => store } as unknown as Team;
}

test('a server at its limit answers further requests with "busy"', async () => {
  const requests = new SyncRequests({
    team: silentTeam(),
    now: () => 1,
    arrived: () => undefined,
    mostAtOnce: 2,
  });
  const asked = {
    method: "POST",
    headers: { "pollux-protocol": "1", authorization: `Bearer ${"t".repeat(30)}` },
    *[Symbol.iterator]() {
      yield Buffer.from("[]");
    },
    on: () => undefined,
  } as unknown as IncomingMessage;
  const address = new URL("http://localhost/sync/missing");
  const ask = (): Promise<unknown> => requests.answer(asked, address);
  void ask();
  void ask();
  await expect(ask()).rejects.toMatchObject({ code: "busy" });
});

test("a file above the size limit is reported on every run", async () => {
  const team = new DeviceServer(silentTeam(), DEVICE, { clock: () => 1 });
  const file = {
    source: "agent",
    root: "/r",
    path: "/r/a",
    role: "main",
    folder: "",
    isCleaned: false,
    modifiedMs: 1,
    keptMs: 1,
    sizeBytes: 5 * 1024 ** 3,
    digest: "",
    from: 0,
    segments: [],
  } as const;
  const said = await team.putFile({ ...file, segments: [] });
  expect(said).toMatchObject({ answer: "too-large" });
  const store = memoryStore();
  const kept = await keep(store, await begin(store), { path: "large", text: "imagine more" });
  const policy = { team: "red", epoch: "1", level: "full", mayLower: true } as const;
  const server = {
    policy: async () => ({ ...policy, masked: false, paceBytes: 1 }),
    held: async () => [],
    sessions: async () => [],
    missing: async () => [],
    putFile: async () => said,
  } as unknown as SyncServer;
  const files = new SyncFiles(mkdtempSync(join(tmpdir(), "sync-")));
  const settings = { server: "", token: "", device: "", team: "", expiresMs: 0 };
  for (const _ of [1, 2]) {
    const rest = { clock: () => 1, wait: async () => undefined, rowsOf: async () => undefined };
    const work = { store, server, files, settings: { ...settings, projects: [] }, ...rest };
    expect(await sync(work)).toMatchObject({ tooLarge: [kept.path], contents: 0 });
  }
});

test("masking part by part gives the same text as masking at once", async () => {
  const scanner = await loadScanner();
  const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const lines = ["first", `{"token":"${key}"}`, "", "third line", `again ${key}`, "", ""];
  const bytes = memoryBytes("a", Buffer.from(lines.join("\n")));
  const chunked = {
    ...bytes,
    *chunks() {
      for (let at = 0; at < 400; at += 7) yield bytes.range(at, at + 7);
    },
  };
  const [whole, parts] = [
    await maskedBytes(bytes, scanner),
    await maskedBytes(chunked, scanner, 10),
  ];
  const text = parts?.range(0, 1000).toString();
  expect(text).toBe(whole?.range(0, 1000).toString());
  expect([text?.includes(key), text?.split("\n").length]).toEqual([false, lines.length]);
});
