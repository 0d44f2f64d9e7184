import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { postgresPrograms, STARTS_HERE } from "../scripts/postgres-programs.mjs";

/** A PostgreSQL server for tests, or the reason why there is none. */
export type TestServer = { dsn: string } | { missing: string };

let server: Promise<TestServer> | undefined;

/**
 * Uses the server of `POLLUX_TEST_DSN`. Without it, starts one for this process, which ends with
 * it; `scripts/obtain-postgres.mjs` gets its programs.
 */
export function startPostgres(): Promise<TestServer> {
  return (server ??= findOrStart());
}

async function findOrStart(): Promise<TestServer> {
  const given = process.env["POLLUX_TEST_DSN"];
  if (given) return { dsn: given };
  if (!STARTS_HERE) return none("no PostgreSQL is started on Windows");
  const [programs] = postgresPrograms();
  if (programs === undefined) return none("no PostgreSQL was found");
  const owner = unprivileged();
  if (owner === undefined) return none("PostgreSQL does not run as root, and nobody else is here");
  return start({ programs, owner }, SETTINGS, initialised);
}

/** Starts a separate server with the given settings, for example one with a replica. */
export async function startCluster(
  settings: readonly string[],
  { replicaOf }: { replicaOf?: StartedServer } = {},
): Promise<StartedServer> {
  const [[programs], owner] = [postgresPrograms(), unprivileged()];
  if (programs === undefined || owner === undefined) throw new Error("No PostgreSQL was found.");
  return start({ programs, owner }, settings, replicaOf ? followerOf(replicaOf) : initialised);
}

export interface StartedServer {
  dsn: string;
  /** Contains the socket, and the data directory `cluster`. */
  folder: string;
  stop: () => Promise<void>;
}

/** On CI a missing server is a failure, not a reason to skip tests; but see `STARTS_HERE`. */
function none(missing: string): TestServer {
  const remedy = "Install it, or name one with POLLUX_TEST_DSN.";
  if (process.env["CI"] && STARTS_HERE) throw new Error(`${missing}. ${remedy}`);
  console.warn(
    `\n*** ${missing}: the tests of the store in PostgreSQL are skipped. ${remedy} ***\n`,
  );
  return { missing };
}

interface Owner {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): Owner | undefined {
  if (process.getuid?.() !== 0) return {};
  const users = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "";
  const [user] = ["postgres", "nobody"].flatMap((name) => {
    const line = users.split("\n").find((text) => text.startsWith(`${name}:`));
    return line === undefined ? [] : [line.split(":")];
  });
  return user && { uid: Number(user[2]), gid: Number(user[3]) };
}

const SETTINGS = [
  "listen_addresses = ''",
  "fsync = off",
  "synchronous_commit = off",
  "full_page_writes = off",
  // The server has no replica and needs no crash recovery.
  "wal_level = minimal",
  "max_wal_senders = 0",
  "max_wal_size = 64MB",
  "min_wal_size = 32MB",
  "shared_buffers = 64MB",
  "max_connections = 400",
  "autovacuum = off",
  "logging_collector = off",
];

/**
 * Runs the server as a child process. When the tests end in any way, its input ends: then it stops
 * the server and removes the folder.
 */
const GUARDIAN = `
const { spawn } = require("node:child_process");
const { rmSync } = require("node:fs");
const { join } = require("node:path");
const [folder, programs] = process.argv.slice(1);
const server = spawn(join(programs, "postgres"), ["-D", join(folder, "cluster")], {
  ...JSON.parse(process.env.OWNER),
  stdio: ["ignore", "ignore", "inherit"],
});
server.once("exit", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
process.stdin.on("end", () => server.kill("SIGQUIT")).resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
`;

interface Place {
  programs: string;
  owner: Owner;
}

/** Creates the data directory of a server. */
type Make = (place: Place, cluster: string) => void;

const initialised: Make = ({ programs, owner }, cluster) => {
  const options = ["-D", cluster, "-U", "pollux", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"];
  const made = spawnSync(join(programs, "initdb"), options, { ...owner, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
};

function followerOf({ folder }: StartedServer): Make {
  return ({ programs, owner }, cluster) => {
    const options = ["-D", cluster, "-h", folder, "-U", "pollux", "-R", "-X", "stream", "-N"];
    const how = { ...owner, encoding: "utf8" } as const;
    const copied = spawnSync(join(programs, "pg_basebackup"), options, how);
    if (copied.status !== 0) throw new Error(`pg_basebackup failed: ${copied.stderr}`);
  };
}

async function start(place: Place, given: readonly string[], make: Make): Promise<StartedServer> {
  const { programs, owner } = place;
  const folder = mkdtempSync(join(tmpdir(), "pg-"));
  const own = {
    uid: owner.uid ?? process.getuid?.() ?? 0,
    gid: owner.gid ?? process.getgid?.() ?? 0,
  };
  chownSync(folder, own.uid, own.gid);
  const cluster = join(folder, "cluster");
  make(place, cluster);
  const settings = [...given, `unix_socket_directories = '${folder}'`];
  writeFileSync(join(cluster, "postgresql.conf"), `${settings.join("\n")}\n`);
  const guardian = spawn(process.execPath, ["--eval", GUARDIAN, folder, programs], {
    env: { ...process.env, OWNER: JSON.stringify(owner) },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let log = "";
  guardian.stderr.on("data", (data: Buffer) => (log += data.toString()));
  const ended = new Promise<void>((done) => guardian.once("exit", () => done()));
  for (let tries = 0; !log.includes("ready to accept"); tries += 1) {
    if (guardian.exitCode !== null || tries > 600) throw new Error(`PostgreSQL: ${log}`);
    await wait(50);
  }
  return {
    folder,
    dsn: `postgres://pollux@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      guardian.stdin.end();
      await ended;
    },
  };
}
