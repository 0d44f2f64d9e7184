import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import pg from "pg";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { TeamAdmin } from "../../src/library/team/team.ts";
import { initTeam, openTeamAdmin } from "../../src/library/team/team.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { RemoteServer } from "../../src/sync/remote.ts";
import { SyncFiles } from "../../src/sync/settings.ts";
import { sync } from "../../src/sync/sync.ts";
import { Dice } from "../contracts/random-home.ts";
import { startCluster } from "../postgres-server.ts";
import { programServing } from "../sync/program.ts";
import { printLine } from "./measured.ts";

/** `TEAM_LOAD=50,2`: number of machines and duration in minutes. */
const [MACHINES = 200, MINUTES = 10] = (process.env["TEAM_LOAD"] ?? "200,10")
  .split(",")
  .map(Number);
const READERS = 20;
/**
 * Interval at which a machine sends changes, as `pollux watch` does; its session grows meanwhile.
 */
const EVERY_MS = 60_000;
const SESSION_BYTES = 60_000;

const cluster = await startCluster([
  "listen_addresses = ''",
  "shared_buffers = 512MB",
  "max_connections = 60",
  "max_wal_size = 4GB",
]);
const keys = await generateKeyPair("RS256");
const jwks = createServer((_, response) => {
  void exportJWK(keys.publicKey).then((key) =>
    response.end(JSON.stringify({ keys: [{ ...key, alg: "RS256" }] })),
  );
});
await new Promise<void>((done) => void jwks.listen(0, "127.0.0.1", () => done()));
afterAll(async () => {
  jwks.close();
  await cluster.stop();
}, 120_000);

const DSN = `${cluster.dsn}&schema=load`;
const ISSUER = "https://login.example.com";

function tokenOf(subject: string): Promise<string> {
  return new SignJWT({ email: subject, name: subject })
    .setProtectedHeader({ alg: "RS256" })
    .setSubject(subject)
    .setIssuer(ISSUER)
    .setAudience("pollux")
    .setExpirationTime("2h")
    .sign(keys.privateKey);
}

/** Lines of a session in an agent's format: prompts and paid answers in turn. */
function linesOf(session: string, from: number, dice: Dice): string {
  let text = "";
  for (let at = from; text.length < SESSION_BYTES / 4; at += 1) {
    const timestamp = new Date(
      Date.UTC(2026, 9, 1) + at * 60_000 + dice.roll(86_400_000) * 30,
    ).toISOString();
    const shared = { sessionId: session, timestamp, cwd: `/home/ada/p${dice.roll(9)}` };
    const words = Array.from({ length: 60 }, () => `word${dice.roll(4000)}`).join(" ");
    const usage = { input_tokens: 900, cache_read_input_tokens: 8000, output_tokens: 300 };
    const answer = {
      id: `msg_${session}_${at}`,
      role: "assistant",
      model: "claude-sonnet-4-5",
      usage,
      content: [{ type: "text", text: words }],
    };
    const prompt = { role: "user", content: words };
    const said = { type: "user", uuid: `u${at}`, ...shared, message: prompt };
    const paid = { type: "assistant", uuid: `a${at}`, requestId: `r${at}`, ...shared };
    text += `${JSON.stringify(said)}\n${JSON.stringify({ ...paid, message: answer })}\n`;
  }
  return text;
}

interface Sent {
  runs: number;
  states: number;
  bytes: number;
  failed: number;
}

interface Enrolled {
  url: string;
  number: number;
  token: string;
  device: string;
}

async function enrolled(admin: TeamAdmin, url: string, number: number): Promise<Enrolled> {
  const subject = `person${number}@example.com`;
  await admin.put({ subject, teams: [`team ${number % 20}`] });
  const { code } = await admin.addCode(subject);
  const server = new RemoteServer(url, { wait: (ms) => wait(ms) });
  const { token, device } = await server.enrol({ code, name: `machine ${number}` });
  return { url, number, token, device };
}

/** One machine: an archive in memory, sent over HTTP by the code of `pollux sync`. */
async function machine(
  { url, number, token, device }: Enrolled,
  sent: Sent,
  untilMs: number,
): Promise<void> {
  const server = new RemoteServer(url, { token, wait: (ms) => wait(ms) });
  const store = memoryStore();
  const home = `/home/person${number}/.claude`;
  const root = await store.addRoot({ source: "claude-code", path: home, how: "usual" }, 1);
  const files = new SyncFiles(mkdtempSync(join(tmpdir(), "load-")));
  const settings = { server: url, token, device, team: "", expiresMs: 0, projects: [] };
  const dice = new Dice(number);
  let [session, text, lines] = ["", "", 0];
  await wait(dice.roll(EVERY_MS));
  while (Date.now() < untilMs) {
    if (text.length > SESSION_BYTES || session === "") {
      const hex = randomBytes(16).toString("hex");
      session = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4000-8000-${hex.slice(20)}`;
      [text, lines] = ["", 0];
    }
    const more = linesOf(session, lines, dice);
    text += more;
    lines += 100;
    const path = `${home}/projects/-work/${session}.jsonl`;
    const [known] = await store.known({ rootId: root.id, paths: [path] });
    const bytes = Buffer.from(text);
    const file = {
      path,
      root: home,
      role: "main",
      folder: "-work",
      isCleaned: true,
      modifiedMs: Date.now(),
      sizeBytes: bytes.length,
    } as const;
    const content = {
      how: "whole",
      sizeBytes: bytes.length,
      digest: "",
      isSettled: true,
      pieces: [bytes],
    } as const;
    await store.commit({
      nowMs: Date.now(),
      files: [
        {
          kind: "content",
          rootId: root.id,
          file,
          content: { ...content, digest: sha256(bytes) },
          ...(known ? { known } : {}),
        },
      ],
      readings: [],
      sessions: [],
      dropped: [],
    });
    const rest = {
      clock: () => Date.now(),
      wait: async () => undefined,
      rowsOf: async () => undefined,
    };
    try {
      const answer = await sync({ store, server, files, settings, ...rest });
      sent.runs += 1;
      sent.states += answer.contents;
      sent.bytes += more.length;
    } catch (error) {
      sent.failed += 1;
      printLine(String(error));
    }
    await wait(EVERY_MS / 2 + dice.roll(EVERY_MS));
  }
}

function sha256(bytes: Buffer): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(bytes).digest("hex");
}

const QUESTIONS = {
  sessions: "/api/sessions?limit=50",
  usage: "/api/usage?by=day,model",
  search: "/api/search?q=word77",
  tools: "/api/tools",
  "usage of all teams": "/api/team/usage?by=team,month&since=2026-01-01",
} as const;

/** How many times the busy server answered with Retry-After. */
let refused = 0;

async function answered(address: string, token: string): Promise<number> {
  for (let again = 0; ; again += 1) {
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (response.ok) return again;
    const seconds = Number(response.headers.get("retry-after"));
    if (!(seconds > 0)) throw new Error(`${address}: ${response.status}`);
    await wait(seconds * 1000);
  }
}

async function reader(
  url: string,
  number: number,
  times: Map<string, number[]>,
  untilMs: number,
): Promise<void> {
  const isPayer = number % 5 === 0;
  const token = await tokenOf(isPayer ? "payer@example.com" : `person${number}@example.com`);
  const own = Object.entries(QUESTIONS).filter(([name]) => isPayer || !name.includes("teams"));
  const dice = new Dice(1000 + number);
  while (Date.now() < untilMs) {
    const [name, path] = dice.pick(own);
    const before = performance.now();
    refused += await answered(`${url}${path}`, token);
    times.set(name, [...(times.get(name) ?? []), performance.now() - before]);
    await wait(500 + dice.roll(2000));
  }
}

interface Figures {
  sent: Sent;
  facts: number;
  size: number;
  times: ReadonlyMap<string, number[]>;
  /** Time from the last request until everything was read. */
  restMs: number;
}

function tellFigures({ sent, facts, size, times, restMs }: Figures): void {
  const seconds = MINUTES * 60;
  const megabytes = (sent.bytes / 1e6 / seconds).toFixed(2);
  printLine(`${MACHINES} machines, ${READERS} readers, ${MINUTES} minutes`);
  printLine(`  sent: ${sent.runs} runs, ${sent.failed} failed, ${megabytes} MB/s`);
  printLine(`  facts: ${facts}, ${(facts / seconds).toFixed(0)} a second`);
  printLine(`  readers were asked to come later: ${refused} times`);
  printLine(`  all read ${(restMs / 1000).toFixed(0)} s after the last was sent`);
  printLine(`  ${(size / 2 ** 20).toFixed(0)} MB in the database`);
  for (const [name, all] of times) {
    const sorted = all.toSorted((x, y) => x - y);
    const at = (part: number): string => `${sorted[Math.floor(all.length * part)]?.toFixed(0)} ms`;
    printLine(`  ${name}: ${all.length} asked, half within ${at(0.5)}, 95 % within ${at(0.95)}`);
  }
}

test(`${MACHINES} machines send and ${READERS} people query for ${MINUTES} minutes`, async () => {
  await initTeam(DSN, "load");
  const admin = await openTeamAdmin(DSN, { clock: () => Date.now() });
  await admin.setPolicy({ masked: false });
  await admin.put({ subject: "payer@example.com", roles: ["payer"] });
  const { port } = jwks.address() as AddressInfo;
  const env = {
    POLLUX_OIDC_ISSUER: ISSUER,
    POLLUX_OIDC_AUDIENCE: "pollux",
    POLLUX_OIDC_JWKS: `http://127.0.0.1:${port}/`,
  };
  const server = await programServing(DSN, { env });
  const all: Enrolled[] = [];
  for (let number = 0; number < MACHINES; number += 1) {
    all.push(await enrolled(admin, server.url, number));
  }
  const untilMs = Date.now() + MINUTES * 60_000;
  const sent: Sent = { runs: 0, states: 0, bytes: 0, failed: 0 };
  const times = new Map<string, number[]>();
  const machines = all.map((place) => machine(place, sent, untilMs));
  const readers = Array.from({ length: READERS }, (_, number) =>
    reader(server.url, number, times, untilMs),
  );
  await Promise.all([...machines, ...readers]);
  const endedMs = Date.now();
  await expect
    .poll(async () => (await admin.doctor()).unread, { timeout: 900_000, interval: 2000 })
    .toBe(0);
  const client = new pg.Client({ connectionString: cluster.dsn });
  await client.connect();
  const count = async (sql: string): Promise<number> =>
    Number((await client.query(`SELECT (${sql}) AS n`)).rows[0].n);
  const facts = await count("SELECT count(*) FROM load.replies");
  const size = await count(`SELECT sum(pg_total_relation_size(oid)) FROM pg_class
    WHERE relnamespace = 'load'::regnamespace AND relkind = 'r'`);
  await client.end();
  tellFigures({ sent, facts, size, times, restMs: Date.now() - endedMs });
  expect(sent.failed).toBe(0);
  expect(facts).toBeGreaterThan(0);
  expect(await server.stop()).toBe("");
  await admin.close();
}, 3_600_000);
