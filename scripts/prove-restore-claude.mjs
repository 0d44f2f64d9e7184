// Proves with the real Claude Code that restored sessions are listed, resumed, and remembered: what
// it sends after a restore is what it sends from the original files.
//
//   LAB=DIR node scripts/prove-restore-claude.mjs --tool FAKE_API --work DIR [--only NAME]
//                                                 [--record]
//
// FAKE_API is a folder with `run.sh VERSION SCENARIO OUT`, which starts the program of that version
// on a seeded home against a scripted API; LAB has the installed versions. --work must not be a
// temporary folder, which the program sees empty. --record writes what was proved, so that tests
// can compare without the program.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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
const corpus = join(fixtures, "corpora/claude-code");
const proofs = join(fixtures, "restore-claude-code.json");
/** Trees, and the version that resumes their sessions: their own, or a newer one. */
const CASES = [
  ["1.0.60/subagent", "1.0.110"],
  ["1.0.128/tui-resume", "1.0.128"],
  ["1.0.128/tools", "2.1.325"],
  ["2.0.0/resume", "2.1.325"],
  ["2.0.77/fork", "2.1.325"],
  ["2.0.77/tui-rewind", "2.1.325"],
  ["2.0.77/tui-compact", "2.1.200"],
  ["2.0.77/unicode", "2.1.325"],
  ["2.1.14/subagent", "2.1.50"],
  ["2.1.100/mcp", "2.1.200"],
  ["2.1.325/fork", "2.1.325"],
  ["2.1.325/image", "2.1.325"],
  ["2.1.325/kill", "2.1.325"],
  ["2.1.325/parallel", "2.1.325"],
  ["2.1.325/subagent", "2.1.325"],
  ["2.1.325/tui-branch", "2.1.325"],
  ["2.1.325/tui-compact", "2.1.325"],
  ["2.1.325/tui-rewind", "2.1.325"],
].map(([tree, readBy]) => ({ tree, readBy, root: join(corpus, tree, ".claude") }));

const work = resolve(options.work);
const tool = toolWithCheck();
const proved = [];
let failures = 0;
for (const one of CASES.filter(({ tree }) => tree.includes(options.only))) prove(one);
if (options.record) writeFileSync(proofs, `${JSON.stringify(proved, null, 2)}\n`);
console.log(`${proved.length} sessions are proved, ${failures} are not.`);
process.exitCode = failures > 0 ? 1 : 0;

/** The tool with one more scenario: resume each session, and look at the list of them. */
function toolWithCheck() {
  const folder = join(work, "tool");
  rmSync(folder, { recursive: true, force: true });
  cpSync(options.tool, folder, { recursive: true, mode: 0 });
  spawnSync("chmod", ["-R", "u+w", folder]);
  const check = `
scenarios.check = {
  description: "The list of sessions that are there; then each of them is resumed.",
  script: () => ({ main: Array.from({ length: 60 }, () => ({ text: "Checked." })) }),
  async run(ctx) {
    const t = await ctx.tui(["--resume", ...SKIP]);
    await ctx.sleep(6000);
    ctx.truth.list = t.screen();
    t.end();
    for (const id of process.env.CHECK_IDS.split(",")) {
      await ask(ctx, "What did we talk about?", ["--resume", id]);
    }
  },
};
`;
  appendFileSync(join(folder, "scenarios.mjs"), check);
  return folder;
}

function prove({ tree, readBy, root }) {
  const listed = pollux(["sessions", "--root", root, "--json", "--kind", "main"]);
  const sessions = listed.sessions.filter(({ status }) => status !== "empty");
  const seed = join(work, "seed");
  rmSync(seed, { recursive: true, force: true });
  mkdirSync(seed, { recursive: true });
  const restored = sessions.flatMap(({ id }) => {
    const answer = pollux(["restore", id, "--root", root, "--fresh", "--into", seed, "--json"]);
    return answer?.outcome === "written" ? [{ id, resumedAs: answer.command.at(-1) }] : [];
  });
  const ids = restored.map(({ resumedAs }) => resumedAs);
  const before = resume(root, readBy, ids);
  const after = resume(seed, readBy, ids);
  for (const [at, { id }] of restored.entries()) {
    const [original, ours] = [before.sent[at], after.sent[at]];
    const isSame = original !== undefined && isDeepStrictEqual(original, ours);
    // Sessions of print mode are in no list of newer versions.
    const isListed = isDeepStrictEqual(namesIn(before.list), namesIn(after.list));
    if (isSame && isListed)
      proved.push({ tree, readBy, sessionId: id, listed: namesIn(after.list), sent: ours });
    else failures += 1;
    const verdict = [isSame ? "the same" : "DIFFERS", isListed ? "listed" : "NOT LISTED"];
    console.log(`${tree} by ${readBy}: ${id} ${verdict.join(", ")}`);
    if (!isSame) console.log(JSON.stringify({ original, ours }, null, 1));
    if (!isListed) console.log(before.list, after.list);
  }
}

/** What the program sends when it resumes each session, and how it lists them. */
function resume(root, version, ids) {
  const out = join(work, "out");
  rmSync(join(out, version), { recursive: true, force: true });
  const env = {
    ...process.env,
    SEED_TREE: root,
    CHECK_IDS: ids.join(","),
    FORCE: "1",
    LAB_HOME_TAG: "prove",
  };
  const run = spawnSync(join(tool, "run.sh"), [version, "check", out], { env, encoding: "utf8" });
  const file = join(out, version, "check", "truth.json");
  if (!existsSync(file)) throw new Error(`run.sh ended with ${run.status}: ${run.stderr}`);
  const truth = JSON.parse(readFileSync(file, "utf8"));
  const asked = truth.requests.filter(({ kind, sent }) => {
    return kind === "main" && sent.some((text) => text.includes("What did we talk about?"));
  });
  return { sent: asked.map(({ sent }) => sent), list: truth.list ?? "" };
}

/**
 * The entries of the list. Ages change from run to run; files below a kilobyte are empty, or hold
 * the title of another session: they are no sessions, and are not restored.
 */
function namesIn(list) {
  const lines = list.split("\n").map((line) => line.replace(/^[❯\s]+/, "").trimEnd());
  const rows = lines.filter((line) => /^\d+\. .* ago /.test(line));
  const old = rows.map((line) => line.replace(/^\d+\.|\d+\w+ ago/g, "").replace(/\s+/g, " "));
  const titles = lines.filter((_line, at) => / · .*\d[KM]B/.test(lines[at + 1] ?? ""));
  return [...old, ...titles].toSorted((a, b) => a.localeCompare(b, "en"));
}

function pollux(args) {
  const run = spawnSync(process.execPath, [join(resolve(options.dist), "pollux.js"), ...args], {
    encoding: "utf8",
  });
  return run.status === 0 ? JSON.parse(run.stdout) : undefined;
}
