import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, appendFileSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openTeamAdmin, initTeam } from "../../src/library/team/team.ts";
import type { Store } from "../../src/store/store.ts";
import { Dice } from "../contracts/random-home.ts";
import type { StartedServer } from "../postgres-server.ts";
import { startCluster } from "../postgres-server.ts";
import { ended, start } from "../store/program.ts";
import type { ServingProgram } from "../sync/program.ts";
import { programServing } from "../sync/program.ts";
import { printLine } from "./measured.ts";

const SETTINGS = [
  "listen_addresses = ''",
  "shared_buffers = 64MB",
  "max_connections = 60",
  "max_wal_senders = 4",
  "synchronous_commit = on",
];
const [MACHINES, ROUNDS] = [3, 12];

/**
 * A proxy in front of the database; a failover changes its target, as DNS or an IP address would.
 */
class Address {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #to: StartedServer;
  port = 0;

  constructor(to: StartedServer) {
    this.#to = to;
    this.#server = createServer((socket) => {
      const other = connect(join(this.#to.folder, ".s.PGSQL.5432"));
      for (const end of [socket, other]) {
        this.#sockets.add(end);
        end.on("error", () => undefined);
        end.on("close", () => {
          this.#sockets.delete(end);
          socket.destroy();
          other.destroy();
        });
      }
      socket.pipe(other).pipe(socket);
    });
  }

  async begin(): Promise<void> {
    await new Promise<void>((done) => void this.#server.listen(0, "127.0.0.1", () => done()));
    this.port = (this.#server.address() as { port: number }).port;
  }

  lead(to: StartedServer): void {
    this.#to = to;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** A machine whose agent keeps writing; it remembers which states were acknowledged. */
class Machine {
  readonly home = mkdtempSync(join(tmpdir(), "home-"));
  readonly env = { POLLUX_HOME: mkdtempSync(join(tmpdir(), "archive-")), POLLUX_STORE: "" };
  readonly #project = join(this.home, ".claude/projects/-work");
  readonly #written = new Map<string, string>();
  /** Digests of the complete states that a successful run had sent. */
  readonly acknowledged = new Set<string>();
  #lines = 0;

  constructor() {
    mkdirSync(this.#project, { recursive: true });
  }

  write(dice: Dice): void {
    const id = `0000000${dice.roll(3)}-0000-4000-8000-000000000000`;
    const path = join(this.#project, `${id}.jsonl`);
    for (let more = 1 + dice.roll(20); more > 0; more -= 1) {
      this.#lines += 1;
      const at = new Date(Date.UTC(2026, 10, 1) + this.#lines * 1000).toISOString();
      const message = {
        role: "user",
        content: `line ${this.#lines} ${"x".repeat(dice.roll(9000))}`,
      };
      const line = { type: "user", uuid: `u${this.#lines}`, sessionId: id, timestamp: at, message };
      const text = `${JSON.stringify({ ...line, cwd: "/home/ada/app" })}\n`;
      appendFileSync(path, text);
      this.#written.set(path, (this.#written.get(path) ?? "") + text);
    }
  }

  /** Runs the program once; kills it after a while, unless it ends earlier. */
  async sync(killAfterMs?: number): Promise<void> {
    const states = [...this.#written.values()].map(digestOf);
    const child = start(["sync", "--now", "--root", this.home], this.env);
    const result = ended(child);
    const kill = setTimeout(() => child.kill("SIGKILL"), killAfterMs ?? 300_000);
    const { code } = await result;
    clearTimeout(kill);
    if (code === 0) for (const state of states) this.acknowledged.add(state);
  }
}

function digestOf(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Digests of every stored state of every content, computed from the bytes. */
async function statesIn(store: Store): Promise<Set<string>> {
  const states = new Set<string>();
  for (const file of await store.known({})) {
    for (const { content, sizeBytes } of await store.versions(file.id)) {
      const bytes = await store.bytes({ path: file.path, content, sizeBytes });
      states.add(digestOf(bytes.range(0, sizeBytes)));
    }
  }
  return states;
}

/** Kills all processes of a server at once, as a power failure would. */
function killServer({ folder }: StartedServer): void {
  const [postmaster] = readFileSync(join(folder, "cluster/postmaster.pid"), "utf8").split("\n");
  const children = readdirSync("/proc").filter((pid) => {
    return /^\d+$/.test(pid) && parentOf(pid) === postmaster;
  });
  for (const pid of [postmaster ?? "", ...children]) process.kill(Number(pid), "SIGKILL");
}

function parentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1];
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}

const primary = await startCluster([...SETTINGS, "synchronous_standby_names = '*'"]);
const replica = await startCluster(SETTINGS, { replicaOf: primary });
const address = new Address(primary);
await address.begin();
let serving: ServingProgram | undefined;
afterAll(async () => {
  await serving?.stop();
  address.close();
  await replica.stop();
  await primary.stop();
}, 120_000);

test("nothing acknowledged is lost when clients, the server and the primary are killed", async () => {
  const dsn = `postgres://pollux@127.0.0.1:${address.port}/postgres?schema=crash`;
  const dice = new Dice(7);
  await initTeam(dsn, "crash");
  const admin = await openTeamAdmin(dsn, { clock: () => Date.now() });
  await admin.setPolicy({ masked: false });
  serving = await programServing(dsn);
  const port = Number(new URL(serving.url).port);
  const machines = Array.from({ length: MACHINES }, () => new Machine());
  for (const machine of machines) {
    await admin.put({ subject: "ada@example.com" });
    const { code } = await admin.addCode("ada@example.com");
    const enrol = ["sync", "enrol", code, "--to", serving.url, "--root", machine.home];
    expect(await ended(start(enrol, machine.env))).toMatchObject({ code: 0 });
  }
  const kills = { client: 0, server: 0, primary: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const machine of machines) machine.write(dice);
    const isServerKilled = dice.chance(40);
    const runs = machines.map((machine) => {
      const isKilled = dice.chance(40);
      kills.client += isKilled ? 1 : 0;
      return machine.sync(isKilled ? 300 + dice.roll(2500) : undefined);
    });
    if (isServerKilled) {
      // The reading thread of the server is killed with it, at any point of its work.
      await wait(500 + dice.roll(2000));
      serving.child.kill("SIGKILL");
      kills.server += 1;
      serving = await programServing(dsn, { port });
    }
    if (round === ROUNDS / 2) {
      await wait(500 + dice.roll(1500));
      killServer(primary);
      kills.primary += 1;
      const client = new pg.Client({ connectionString: replica.dsn });
      await client.connect();
      await client.query("SELECT pg_promote(true, 60)");
      await client.end();
      address.lead(replica);
    }
    await Promise.all(runs);
  }
  const acknowledged = machines.flatMap((machine) => [...machine.acknowledged]);
  const { id } = await admin.person("ada@example.com");
  const store = admin.team.storeOf({ viewer: id, role: "developer" });
  const there = await statesIn(store);
  expect(acknowledged.length).toBeGreaterThan(MACHINES);
  expect(acknowledged.filter((state) => !there.has(state))).toEqual([]);
  for (const machine of machines) await machine.sync();
  const last = await statesIn(store);
  for (const machine of machines) {
    expect([...machine.acknowledged].filter((state) => !last.has(state))).toEqual([]);
  }
  const { problems } = await store.care.verify(() => undefined);
  expect(problems).toEqual([]);
  // Files that were being read during a kill are read eventually.
  await expect.poll(async () => (await admin.doctor()).unread, { timeout: 120_000 }).toBe(0);
  printLine(
    `killed: ${JSON.stringify(kills)}; acknowledged states: ${acknowledged.length}, lost: 0`,
  );
  await admin.close();
}, 1_800_000);
