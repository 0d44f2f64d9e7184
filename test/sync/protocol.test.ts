// @module-tag slow
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KnownRoot } from "../../src/core/files/kept.ts";
import type { SentFile, SentSegment, SyncServer } from "../../src/core/team/sync-protocol.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Device, Team } from "../../src/store/team.ts";
import { SyncFiles } from "../../src/sync/settings.ts";
import { sync } from "../../src/sync/sync.ts";
import { DeviceServer } from "../../src/team/device-server.ts";
import { changeOf, NOTHING, textOf } from "../contracts/kept-samples.ts";
import { Dice } from "../contracts/random-home.ts";
import { postgresStores } from "../store/postgres/stores.ts";
import { teamAt, who } from "../store/postgres/teams.ts";

const postgres = await postgresStores();

const SETTINGS = {
  server: "http://localhost",
  token: "",
  device: "",
  team: "",
  expiresMs: 0,
  projects: [],
};

/** A machine with an archive and its memory of what it sent. */
interface Machine {
  store: Store;
  root: KnownRoot;
  files: SyncFiles;
  server: SyncServer;
  device: Device;
  nowMs: number;
}

let devices = 0;

async function machineOf(team: Team, person: number): Promise<Machine> {
  devices += 1;
  const store = memoryStore();
  // Two machines may have the same paths.
  const root = await store.addRoot({ source: "agent", path: "/home/ada/.agent", how: "usual" }, 1);
  const digest = Buffer.alloc(32);
  digest.writeUInt32BE(devices);
  await team.devices.addCode({ digest, person, expiresMs: 9 });
  const id = `00000000-0000-4000-8000-${String(devices).padStart(12, "0")}`;
  const asked = { code: digest, token: digest, id, name: `m${devices}`, nowMs: 1, expiresMs: 9e15 };
  const device = await team.devices.enrol(asked);
  if (!device) throw new RangeError("A machine was not enrolled.");
  const files = new SyncFiles(mkdtempSync(join(tmpdir(), "sync-")));
  const server = new DeviceServer(team, device, { clock: () => 1 });
  return { store, root, files, server, device, nowMs: 1000 };
}

/** Lets files appear, grow, be replaced, disappear and come back. */
async function work(machine: Machine, dice: Dice): Promise<void> {
  const { store, root } = machine;
  for (let step = dice.roll(4); step >= 0; step -= 1) {
    machine.nowMs += 1000;
    const { nowMs } = machine;
    const path = dice.pick(["a", "b", "c"]);
    const [known] = await store.known({ rootId: root.id, paths: [`${root.path}/${path}`] });
    if (known && dice.chance(15)) {
      await store.commit({ ...NOTHING, nowMs, files: [{ kind: "gone", known }] });
      continue;
    }
    const before = known ? await textOf(store, known) : "";
    const isGrowing = known !== undefined && dice.chance(60);
    const more = `${dice.pick(["same", "line"])} ${dice.roll(5)}\n`.repeat(1 + dice.roll(3));
    const text = isGrowing ? before + more : more;
    const how = isGrowing ? "appended" : "whole";
    const sample = { path, text, how, ...(known ? { known } : {}) } as const;
    const change = changeOf(root, sample);
    if (change.kind === "content") change.file.modifiedMs = nowMs;
    await store.commit({ ...NOTHING, nowMs, files: [change] });
  }
}

/** Fails before or after a request, repeats requests, and delivers old ones late. */
function unreliable(server: SyncServer, dice: Dice, late: (() => Promise<unknown>)[]): SyncServer {
  async function through<T>(ask: () => Promise<T>): Promise<T> {
    if (dice.chance(6)) throw new Error("killed before");
    const answer = await ask();
    if (dice.chance(10)) await ask();
    if (dice.chance(20)) late.push(ask);
    if (dice.chance(20)) await late.splice(dice.roll(Math.max(1, late.length)), 1)[0]?.();
    if (dice.chance(6)) throw new Error("killed after");
    return answer;
  }
  return {
    ...pass(server),
    missing: (digests) => through(() => server.missing(digests)),
    putSegment: (segment: SentSegment) => through(() => server.putSegment(segment)),
    putFile: (file: SentFile) => through(() => server.putFile(file)),
  };
}

function pass(server: SyncServer): SyncServer {
  return {
    policy: async () => ({ ...(await server.policy()), masked: false }),
    held: (folders) => server.held(folders),
    missing: (digests) => server.missing(digests),
    putSegment: (segment) => server.putSegment(segment),
    putFile: (file) => server.putFile(file),
    putRows: (session) => server.putRows(session),
    sessions: () => server.sessions(),
    dropRows: (names) => server.dropRows(names),
    find: (session) => server.find(session),
    read: (file) => server.read(file),
  };
}

async function run(machine: Machine, server: SyncServer): Promise<void> {
  const { store, files } = machine;
  const rest = { clock: () => 1, wait: async () => undefined, rowsOf: async () => undefined };
  await sync({ store, server, files, settings: SETTINGS, ...rest });
}

/** All contents of all files as texts, and which of them is the newest. */
async function contentsOf(store: Store, root: KnownRoot): Promise<unknown> {
  const actual: Record<string, unknown> = {};
  for (const file of await store.known({ rootId: root.id })) {
    const last = new Map<number, number>();
    for (const { content, sizeBytes } of await store.versions(file.id)) {
      last.set(content, Math.max(sizeBytes, last.get(content) ?? 0));
    }
    const texts = [...last].map(([content, sizeBytes]) => {
      return textOf(store, { path: file.path, content, sizeBytes });
    });
    actual[file.path] = {
      contents: maximal(await Promise.all(texts)),
      newest: await textOf(store, file),
      gone: file.goneSinceMs !== undefined,
    };
  }
  return actual;
}

/** Without texts that are the beginning of another: those were earlier states, not losses. */
function maximal(texts: readonly string[]): string[] {
  const all = [...new Set(texts)];
  return all
    .filter((text) => !all.some((other) => other !== text && other.startsWith(text)))
    .toSorted();
}

async function serverRoot(store: Store, { device }: Machine): Promise<KnownRoot | undefined> {
  return (await store.roots()).find(({ machine }) => machine.uid === device.id);
}

describe.skipIf(!postgres.isAvailable)(
  `the server's copy of what machines send${postgres.skipReason}`,
  () => {
    test(
      "is the union of their archives, despite failed, repeated and late requests",
      { timeout: 300_000 },
      async () => {
        const { team } = await teamAt(postgres.newDsn(), []);
        let people = 0;
        await fc.assert(
          fc.asyncProperty(fc.nat(), async (seed) => {
            const dice = new Dice(seed);
            const subject = `p${(people += 1)}`;
            const { id: person } = await team.people.put({ subject, name: subject });
            const machines = [await machineOf(team, person), await machineOf(team, person)];
            for (let round = 0; round < 4; round += 1) {
              for (const machine of machines) {
                await work(machine, dice);
                const late: (() => Promise<unknown>)[] = [];
                const server = unreliable(machine.server, dice, late);
                await run(machine, server).catch(() => undefined);
                // The machine's memory may be lost.
                if (dice.chance(20)) machine.files.memory = { epoch: "another", sent: {} };
                // A backup is restored that has nothing of this person yet.
                if (dice.chance(10)) {
                  await team.eraseRows(person);
                  await team.newEpoch();
                }
                for (const ask of late) if (dice.chance(50)) await ask();
              }
            }
            const store = team.storeOf(who(person));
            for (const machine of machines) {
              await run(machine, pass(machine.server));
              const root = await serverRoot(store, machine);
              const there = root ? await contentsOf(store, root) : {};
              expect(there, `seed ${seed}`).toEqual(await contentsOf(machine.store, machine.root));
            }
            expect((await store.care.verify(() => undefined)).problems).toEqual([]);
          }),
          { numRuns: Number(process.env["RUNS"] ?? 20) },
        );
      },
    );

    test("is not sent or queried again if nothing has changed", async () => {
      const { team, people } = await teamAt(postgres.newDsn(), ["ada"]);
      const machine = await machineOf(team, people.ada);
      await work(machine, new Dice(3));
      await run(machine, pass(machine.server));
      const asked: string[] = [];
      const counting = new Proxy(pass(machine.server), {
        get: (server, name: keyof SyncServer) => {
          asked.push(name);
          return server[name];
        },
      });
      await run(machine, counting);
      expect(asked).toEqual(["policy"]);
      machine.files.memory = { epoch: "", sent: {} };
      await run(machine, counting);
      expect(asked).toEqual(["policy", "policy", "sessions", "held"]);
    });

    test("is refused if it does not match its digest or is larger than a segment when unpacked", async () => {
      const { team, people } = await teamAt(postgres.newDsn(), ["ada"]);
      const { server } = await machineOf(team, people.ada);
      const wrong = { digest: "00".repeat(32), codec: "plain", stored: Buffer.from("x") };
      await expect(server.putSegment(wrong)).rejects.toMatchObject({ code: "wrong-digest" });
      await expect(server.putSegment({ ...wrong, codec: "zip" })).rejects.toMatchObject({
        code: "wrong-digest",
      });
    });
  },
);
