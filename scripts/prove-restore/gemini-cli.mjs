// Proves with the real Gemini CLI that restored sessions are listed, resumed and remembered.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { comparable, liveActs, sentActs } from "./acts.mjs";
import { fixtures, homeAsOf, homeAt, lateHome, readCases } from "./cases.mjs";
import { QUESTION } from "./compare-sent.mjs";

let options;
let open;
let work;
let failures = 0;

/**
 * What the program sends from a restored session must equal what we read from the original: its
 * files are rewritten for the version that reads them, and may be of any moment.
 */
export async function prove(given) {
  options = given;
  ({ open } = await import(join(options.dist, "index.js")));
  work = mkdtempSync(join(options.work, "gemini-"));
  const cases = readCases(fixtures).filter(({ name }) => name.includes(options.only));
  for (const batch of batches(cases)) await proveBatch(batch);
  rmSync(work, { recursive: true, force: true });
  return { proved: cases.length - failures, failed: failures };
}

/** Groups cases by version into homes, with at most one file per session in each. */
function batches(all) {
  const found = [];
  for (const member of all) {
    const key = member.sessionId.slice(0, 8);
    const fitting = found.find(({ readBy, keys }) => readBy === member.readBy && !keys.has(key));
    const batch = fitting ?? { readBy: member.readBy, keys: new Set(), members: [] };
    if (!fitting) found.push(batch);
    batch.members.push(member);
    batch.keys.add(key);
  }
  return found;
}

async function proveBatch({ readBy, members }) {
  const seed = mkdtempSync(join(work, "seed-"));
  const out = mkdtempSync(join(work, "out-"));
  const restored = new Map(
    members.map((member) => [member, restore(member, join(seed, ".gemini"))]),
  );
  const env = { ...process.env, SEED_TREE: join(seed, ".gemini"), DUMP: "1" };
  const run = spawnSync(join(options.tool, "run.sh"), [readBy, "check", out], {
    env: { ...env, LAB_HOME_TAG: "restore" },
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`run.sh ended with ${run.status}: ${run.stderr}`);
  const truth = JSON.parse(readFileSync(join(out, readBy, "check", "truth.json"), "utf8"));
  const sent = sentBySession(truth, join(out, readBy, "check.work", "bodies"));
  for (const member of members) await judge(member, { answer: restored.get(member), truth, sent });
}

function restore({ root, sessionId, projectPath, forVersion, at, asOf }, into) {
  const from = asOf === undefined ? root : lateHome(root);
  const args = ["restore", sessionId, "--root", from, "--fresh", "--into", into, "--json"];
  if (asOf !== undefined) args.push("--as-of", asOf);
  args.push("--project", projectPath);
  if (forVersion !== undefined) args.push("--for", forVersion);
  if (at !== undefined) args.push("--at", at);
  const run = spawnSync(process.execPath, [join(options.dist, "pollux.js"), ...args], {
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`restore ${sessionId}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

/** The first request of each resume contains the whole history. */
function sentBySession({ invocations, requests }, bodies) {
  const files = readdirSync(bodies);
  const main = requests
    .filter(({ kind }) => kind === "main")
    .map(({ seq }) => {
      const file = files.find((name) => Number(/\d+/.exec(name)?.[0]) === seq);
      return JSON.parse(readFileSync(join(bodies, file), "utf8"));
    });
  const resumed = invocations.filter(({ args }) => args.includes("--resume"));
  const found = new Map();
  for (const { args, code } of resumed) {
    const id = args[args.indexOf("--resume") + 1];
    if (code === 0) found.set(id, sentActs((main.shift() ?? {}).contents ?? [], QUESTION));
  }
  return found;
}

async function judge(member, { answer, truth, sent }) {
  const listed = truth.listed.find((line) => line.includes(member.sessionId));
  const root = stateOf(member);
  const expected = liveActs(await open({ roots: [root] }).session(member.sessionId));
  const history = sent.get(member.sessionId);
  const isSame = isDeepStrictEqual(comparable(history ?? []), comparable(expected));
  const verdict =
    listed === undefined ? "not listed" : history ? (isSame ? "ok" : "differs") : "not resumed";
  if (verdict !== "ok") failures += 1;
  console.log(
    `${verdict.padEnd(11)} ${member.name} (${expected.length} acts, by ${member.readBy})`,
  );
  if (verdict === "differs") tellDifference(expected, history);
  if (!options.record || verdict !== "ok") return;
  cpSync(
    answer.file,
    join(member.folder, `restored${answer.file.endsWith("l") ? ".jsonl" : ".json"}`),
  );
  const proof = {
    file: basename(answer.file),
    listed: listed.replace(/^\d+\. /, ""),
    sent: history,
  };
  writeFileSync(join(member.folder, "proof.json"), `${JSON.stringify(proof, null, 2)}\n`);
}

/** The requested state, made by the independent way. */
function stateOf({ root, at, asOf }) {
  if (at !== undefined) return homeAt(root, at);
  return asOf === undefined ? root : homeAsOf(root, asOf);
}

function tellDifference(expected, history) {
  const length = Math.max(expected.length, history.length);
  for (let at = 0; at < length; at += 1) {
    const [live, sent] = [expected, history].map((acts) => comparable(acts.slice(at, at + 1)));
    if (isDeepStrictEqual(live, sent)) continue;
    console.log(`  ${at} live  ${JSON.stringify(expected[at])?.slice(0, 300)}`);
    console.log(`  ${at} sent  ${JSON.stringify(history[at])?.slice(0, 300)}`);
    return;
  }
}
