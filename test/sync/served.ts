import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyPair, SignJWT } from "jose";
import { expect } from "vitest";
import { demoHome } from "../../src/cli/package-folder.ts";
import type { TeamAdmin } from "../../src/library/team/team.ts";
import { openTeamAdmin } from "../../src/library/team/team.ts";
import { serveTeam } from "../../src/server/serve-team.ts";
import { SignIn } from "../../src/team/sign-in.ts";
import { run } from "../cli/run.ts";
import { atEndOfFile } from "../end-of-file.ts";
import { postgresStores } from "../store/postgres/stores.ts";
import type { PostgresStores } from "../store/postgres/stores.ts";
import { teamAt } from "../store/postgres/teams.ts";

export const postgres: PostgresStores = await postgresStores();

const ISSUER = "https://login.example.com";
const AUDIENCE = "pollux";
const keys = await generateKeyPair("RS256");
export const strangers: { privateKey: CryptoKey } = await generateKeyPair("RS256");

export interface Served {
  url: string;
  admin: TeamAdmin;
  dsn: string;
}

export async function served(): Promise<Served> {
  const dsn = postgres.newDsn();
  await teamAt(dsn, []);
  const admin = await openTeamAdmin(dsn, { clock: () => Date.now() });
  const publicKey = keys.publicKey;
  const settings = { issuer: ISSUER, audience: AUDIENCE, header: "X-Token" };
  const signIn = new SignIn(admin.team, settings, {
    clock: () => Date.now(),
    findKeys: async () => async () => publicKey,
  });
  const running = await serveTeam({
    admin,
    signIn,
    now: () => Date.now(),
    report: (error) => console.error(error),
    host: "127.0.0.1",
    port: 0,
    webFolder: "dist/web",
    version: "0",
  });
  atEndOfFile(async () => {
    await running.stop();
    await admin.close();
  });
  return { url: running.url.replace(/\/$/, ""), admin, dsn };
}

export interface Machine {
  home: string;
  env: Record<string, string>;
}

/** An enrolled machine with its own home and archive. */
export async function machineOf({ url, admin }: Served, who: string): Promise<Machine> {
  const home = mkdtempSync(join(tmpdir(), "machine-"));
  // Part of the demo is enough.
  const isLeft = /\.(claude|codex|qwen)\/|\.gemini\/(history|tmp\/(?!kanji))./;
  cpSync(demoHome(), home, { recursive: true, filter: (path) => !isLeft.test(path) });
  const env = { POLLUX_HOME: mkdtempSync(join(tmpdir(), "archive-")), POLLUX_STORE: "" };
  await admin.put({ subject: who });
  const { code } = await admin.addCode(who);
  const enrolled = await run(["sync", "enrol", code, "--to", url, "--root", home], { env });
  expect(enrolled).toMatchObject({ code: 0, out: expect.stringContaining("sends to") });
  return { home, env };
}

export async function idle(admin: TeamAdmin): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    if ((await admin.doctor()).unread === 0) return;
  }
  throw new RangeError("What arrived was not read.");
}

export async function token(
  subject: string,
  more: {
    key?: CryptoKey;
    exp?: string;
    iss?: string;
    groups?: readonly string[];
    claims?: Record<string, unknown>;
  } = {},
): Promise<string> {
  const { key = keys.privateKey, exp = "5m", iss = ISSUER, groups = ["red"], claims } = more;
  return new SignJWT({ email: subject, name: subject.split("@")[0] ?? "", groups, ...claims })
    .setProtectedHeader({ alg: "RS256" })
    .setSubject(subject)
    .setIssuer(iss)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(exp)
    .sign(key);
}

export async function ask(
  url: string,
  path: string,
  bearer?: string,
  body?: unknown,
): Promise<Response> {
  return fetch(`${url}${path}`, {
    headers: {
      ...(bearer === undefined ? {} : { "X-Token": bearer }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
}
