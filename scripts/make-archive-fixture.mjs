#!/usr/bin/env node
// Writes a small archive with the built program, for the tests of later versions. Once a version is
// released, its archive is never written again, because users have archives like it.
//
//     npm run build
//     node scripts/make-archive-fixture.mjs            writes test/fixtures/archives/version-N.db
//     node scripts/make-archive-fixture.mjs --replace  overwrites it, before version N is released
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { open } from "../dist/index.js";

const { values } = parseArgs({ options: { replace: { type: "boolean", default: false } } });
const fixtures = join(import.meta.dirname, "..", "test", "fixtures");
const HOME = join(fixtures, "gemini-cli", "homes", "0.61.0-tui-resume-gap", "home", ".gemini");
const REWOUND = join(fixtures, "gemini-cli", "append-jsonl", "0.61.0-tui-rewind", "session.jsonl");
const CHATS = "tmp/ledger/chats";
const LATER = `${CHATS}/session-2026-11-15T07-12-305fe996.jsonl`;
const FORGOTTEN = "5e551003-0000-4000-8000-000000000000";

const place = mkdtempSync(join(tmpdir(), "pollux-fixture-"));
const root = join(place, ".gemini");
const archive = join(place, "archive.db");
let nowMs = 1_790_000_000_000;

try {
  cpSync(HOME, root, { recursive: true });
  for (const path of readdirSync(root, { recursive: true })) touch(path, nowMs - 60_000);
  // One session that grows, one that is replaced, one that is deleted, and one that is forgotten.
  const lines = readFileSync(REWOUND, "utf8").split(/(?<=\n)/);
  write(LATER, lines.slice(0, 8).join(""));
  write(`${CHATS}/session-2026-05-04T10-00-5e551003.jsonl`, forgotten());
  await keep();
  write(LATER, lines.join(""));
  write("tmp/ledger/logs.json", "[]");
  rmSync(join(root, CHATS, "session-2026-11-15T07-05-0ac9048d.jsonl"));
  await keep();
  await withArchive((kept) => kept.forget([{ source: "gemini-cli", id: FORGOTTEN }]));
  await finish();
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function withArchive(work) {
  const environment = { homeDir: "/home/ada", env: {} };
  const library = open({ roots: [root], archive, clock: () => nowMs, environment });
  await work(library.archive);
  await library.archive.close();
}

async function keep() {
  await withArchive((kept) => kept.keep());
  nowMs += 3_600_000;
}

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  touch(path, nowMs - 60_000);
}

function touch(path, ms) {
  utimesSync(join(root, path), ms / 1000, ms / 1000);
}

function forgotten() {
  const startTime = "2026-05-04T10:00:00.000Z";
  const content = [{ text: "forget this" }];
  const head = { sessionId: FORGOTTEN, projectHash: "h", startTime, lastUpdated: startTime };
  const prompt = { id: "u1", timestamp: startTime, type: "user", content };
  return [head, prompt].map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Exports the kept tables only, without details of this machine. */
async function finish() {
  const file = join(place, "export.db");
  await withArchive((kept) => kept.exportTo(file));
  const load = createRequire(import.meta.url);
  const { DatabaseSync } = load("@photostructure/sqlite");
  const database = new DatabaseSync(file);
  const usual = "/home/ada/.gemini";
  database.prepare("UPDATE roots SET path = ?").run(usual);
  database.prepare("UPDATE forgotten SET key = replace(key, ?, ?)").run(root, usual);
  const uid = "e816b6c4-63b0-4e3b-a6a3-4555821bdd12";
  database.prepare("UPDATE machines SET name = 'laptop', uid = ?").run(uid);
  database.prepare("UPDATE files SET inode = id, changed_ms = modified_ms").run();
  database.exec("VACUUM");
  const { user_version: version } = database.prepare("PRAGMA user_version").get();
  database.close();
  const target = join(fixtures, "archives", `version-${version}.db`);
  if (existsSync(target) && !values.replace) {
    throw new Error(`${target} is there; --replace writes it anew, before it is released.`);
  }
  cpSync(file, target);
  chmodSync(target, 0o644);
  console.log(`${target}: version ${version}`);
}
