// Proves with the real Codex that restored sessions are listed, resumed, and remembered: what it
// sends after a restore is what it sends from the original files.
//
//   LAB=DIR node scripts/prove-restore-codex.mjs --tool FAKE_API --work DIR [--record]
//                                                [--only NAME]
//
// FAKE_API is a folder with `run.sh VERSION SCENARIO OUT`, which starts the program of that version
// on a seeded home against a scripted API; LAB has the installed versions. LAB and --work must not
// be below /tmp, which the program sees empty. --record writes what was proved, so that tests can
// compare without the program.
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    tool: { type: "string" },
    work: { type: "string" },
    only: { type: "string", default: "" },
    dist: { type: "string", default: join(import.meta.dirname, "../dist") },
    record: { type: "boolean", default: false },
  },
});
if (options.tool === undefined || options.work === undefined) {
  console.error("Name the folder of the scripted API with --tool, and one to work in with --work.");
  process.exit(2);
}

const fixtures = join(import.meta.dirname, "../test/fixtures");
const corpus = join(fixtures, "corpora/codex");
const proofs = join(fixtures, "restore-codex.json");
/** Trees, and the version that resumes their sessions: their own, or a newer one. */
const CASES = [
  ["0.130.0/tui-backtrack", "0.130.0"],
  ["0.130.0/tui-fork", "0.166.0"],
  ["0.130.0/tools", "0.166.0"],
  ["0.147.0/tui-interrupt", "0.166.0"],
  ["0.166.0/autocompact", "0.166.0"],
  ["0.166.0/exec-fork", "0.166.0"],
  ["0.166.0/migrate", "0.166.0"],
  ["0.166.0/revert", "0.166.0"],
  ["0.166.0/tui-backtrack", "0.166.0"],
  ["0.166.0/zst", "0.166.0"],
].map(([tree, readBy]) => ({ tree, readBy, root: join(corpus, tree, ".codex") }));

/** Of an item; ids of turns and messages are new each time. */
const KEPT = "type role content name namespace arguments input call_id output summary".split(" ");
const QUESTION = "What did we talk about?";
const work = resolve(options.work);
const tool = toolWithCheck();
const proved = [];
let failures = 0;
for (const tree of CASES.filter((one) => one.tree.includes(options.only))) prove(tree);
if (options.record) writeFileSync(proofs, `${JSON.stringify(proved, null, 2)}\n`);
console.log(`${proved.length} sessions are proved, ${failures} are not.`);
process.exitCode = failures > 0 ? 1 : 0;

/** The tool with one more scenario: look at the list of sessions, then resume each of them. */
function toolWithCheck() {
  const folder = join(work, "tool");
  rmSync(folder, { recursive: true, force: true });
  cpSync(options.tool, folder, { recursive: true, mode: 0 });
  spawnSync("chmod", ["-R", "u+w", folder]);
  const check = `
scenarios.check = {
  description: "The list of sessions that are there; then each of them is resumed.",
  script: () => ({ main: Array.from({ length: 20 }, () => ({ text: "Checked." })) }),
  run: async (c) => {
    const t = await c.tui([], { sub: ["resume"] });
    await c.sleep(5000);
    c.truth.list = t.screen();
    await t.kill();
    t.end();
    for (const id of process.env.CHECK_IDS.split(",")) {
      await c.exec(${JSON.stringify(QUESTION)}, { sub: ["resume", id], timeoutMs: 60000 });
    }
  },
};
`;
  appendFileSync(join(folder, "scenarios.mjs"), check);
  return folder;
}

function prove({ tree, readBy, root }) {
  const listed = pollux(["sessions", "--root", root, "--json", "--kind", "main"]);
  const seed = join(work, "seed");
  rmSync(seed, { recursive: true, force: true });
  mkdirSync(seed, { recursive: true });
  // A fork goes on from another thread, which is begun earlier and goes first.
  const oldestFirst = listed.sessions.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const ids = oldestFirst.flatMap(({ id }) => {
    const answer = pollux(["restore", id, "--root", root, "--fresh", "--into", seed, "--json"]);
    if (answer?.outcome === "written") return [id];
    failures += 1;
    console.log(`${tree}: ${id} was not restored`);
    return [];
  });
  const before = resume(root, readBy, ids);
  const after = resume(seed, readBy, ids);
  const isListed = isDeepStrictEqual(namesIn(before.list), namesIn(after.list));
  for (const [at, sessionId] of ids.entries()) {
    const [original, ours] = [before.sent[at], after.sent[at]];
    const isSame = original !== undefined && isDeepStrictEqual(original, ours);
    if (isSame && isListed) {
      proved.push({ tree, readBy, sessionId, listed: namesIn(after.list), sent: wordsOf(ours) });
    } else failures += 1;
    const outcome = `${isSame ? "the same" : "DIFFERS"}, ${isListed ? "listed" : "NOT LISTED"}`;
    console.log(`${tree} by ${readBy}: ${sessionId} ${outcome}`);
    if (!isSame) console.log(differenceOf(original ?? [], ours ?? []));
    if (!isListed) console.log(before.list, after.list);
  }
}

/** What the program sends when it resumes each session, and how it lists them. */
function resume(root, version, ids) {
  const out = join(work, "out");
  rmSync(join(out, version), { recursive: true, force: true });
  const env = { ...process.env, SEED_TREE: root, CHECK_IDS: ids.join(","), DUMP: "1" };
  const run = spawnSync(join(tool, "run.sh"), [version, "check", out], { env, encoding: "utf8" });
  const file = join(out, version, "check", "truth.json");
  if (!existsSync(file)) throw new Error(`run.sh ended with ${run.status}: ${run.stderr}`);
  const { list = "" } = JSON.parse(readFileSync(file, "utf8"));
  return { sent: bodiesIn(join(out, version, "check.work", "bodies")), list };
}

/** The whole history of each request that asks the question. */
function bodiesIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return names.flatMap((name) => {
    const body = JSON.parse(readFileSync(join(folder, name), "utf8"));
    const history = (body.input ?? []).map((item) => {
      return Object.fromEntries(KEPT.flatMap((key) => (key in item ? [[key, item[key]]] : [])));
    });
    return JSON.stringify(history.at(-1) ?? "").includes(QUESTION) ? [history] : [];
  });
}

function differenceOf(original, ours) {
  const at = original.findIndex((item, index) => !isDeepStrictEqual(item, ours[index]));
  const short = (item) => JSON.stringify(item)?.slice(0, 600);
  return `${original.length} and ${ours.length} items; ${short(original[at])}; ${short(ours[at])}`;
}

/** The words of a history, one line per item. */
function wordsOf(history) {
  return history.map(({ type, role, content, name, call_id: callId }) => {
    const words = (Array.isArray(content) ? content : []).map(({ text }) => text ?? "[picture]");
    return [type, role, name, callId, words.join(" ").slice(0, 80)].filter(Boolean).join(" ");
  });
}

/** The entries of the list; their ages change from run to run. */
function namesIn(list) {
  const lines = list.split("\n").map((line) => line.replace(/^[\s>❯│]+/, "").trimEnd());
  const rows = lines.filter((line) => / ago\b/.test(line));
  return rows
    .map((line) =>
      line
        .replace(/.*\bago\b/, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .toSorted();
}

function pollux(args) {
  const run = spawnSync(process.execPath, [join(resolve(options.dist), "pollux.js"), ...args], {
    encoding: "utf8",
  });
  return run.status === 0 ? JSON.parse(run.stdout) : undefined;
}
