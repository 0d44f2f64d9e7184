// Proves with the real agents that handed-over sessions are listed under their titles, can be
// resumed in print mode and on a screen, and are remembered: the first request contains every
// prompt, answer, call and result of the conversation in order and follows the vendor's rules, and
// a new call works.
//
//   node scripts/prove-handover.mjs --tools DIR --labs DIR --work DIR [--only NAME]
//     [--stories NAME,NAME] [--record]
//
// The agent's own sessions must not change: byte for byte, in the list, and when one is resumed.
// DIR/NAME of --tools is the folder with the scripted API of each agent (gemini-cli, claude-code,
// codex, qwen-code), DIR/NAME of --labs has its installed versions (cli/VERSION). --labs and --work
// must not be below /tmp, which some agents see empty. Needs root, namespaces and tmux. --record
// writes the results, so that tests can compare without the agents, and the guide's table.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";
import { play, toolWith } from "./prove/real-program.mjs";
import { dialects, missingIn } from "./prove-handover/requests.mjs";
import { refusedBy } from "./prove-handover/rules.mjs";
import { AGENTS, digestOf, MADE, OWN, RECORDED } from "./prove-handover/stories.mjs";
import { storiesOf, writeMade } from "./prove-handover/stories.mjs";
import { pairsTable, proofTable } from "./prove-handover/table.mjs";
import { MARKER, TARGETS } from "./prove-handover/targets.mjs";

const { values: options } = parseArgs({
  options: {
    tools: { type: "string" },
    labs: { type: "string" },
    work: { type: "string" },
    only: { type: "string", default: "" },
    stories: { type: "string", default: "" },
    dist: { type: "string", default: join(import.meta.dirname, "../dist") },
    record: { type: "boolean", default: false },
  },
});
if (!options.tools || !options.labs || !options.work) {
  console.error("Name the folders of the scripted APIs (--tools), of the installed versions");
  console.error("(--labs), and one to work in (--work).");
  process.exit(2);
}

const fixtures = join(import.meta.dirname, "../test/fixtures");
const proofs = join(fixtures, "handover-proof.json");
const guide = join(import.meta.dirname, "../docs/guide/handover.md");
const PROJECT = "/home/ada/projects/ledger";
/** Gemini CLI adds titles to older sessions without one, whatever is beside them. */
const TITLE = /^(\{"\$set":\{"summary":"[^"]*"(,"memoryScratchpad":\{"version":1\})?\}\}\n)*$/;
const nowMs = Date.now();
const work = resolve(options.work);
const { open } = await import(pathToFileURL(join(resolve(options.dist), "index.js")).href);
const { sources } = open({ roots: [work] });
mkdirSync(PROJECT, { recursive: true });

const proved = existsSync(proofs) ? JSON.parse(readFileSync(proofs, "utf8")) : { cases: [] };
let failures = 0;
for (const target of TARGETS) {
  for (const version of target.versions) {
    for (const from of Object.keys(AGENTS).filter((agent) => agent !== target.agent)) {
      const name = `${from} to ${target.agent} ${version}`;
      if (name.includes(options.only)) await prove({ ...target, version, from, name });
    }
  }
}
console.log(`${proved.cases.length} cases are proved, ${failures} are not.`);
process.exitCode = failures > 0 ? 1 : 0;

async function prove(target) {
  const { agent, version, from, name } = target;
  const seed = join(work, "seed", AGENTS[agent]);
  rmSync(join(work, "seed"), { recursive: true, force: true });
  const own = join(fixtures, "corpora", OWN[agent], AGENTS[agent]);
  cpSync(own, seed, { recursive: true });
  const asked = options.stories === "" ? undefined : options.stories.split(",");
  const stories = storiesOf(from, agent).filter((story) => asked?.includes(story.name) ?? true);
  const cases = [];
  for (const story of stories) cases.push(await handedOver(story, { from, agent, version, seed }));
  const ownCase = await ownSession(own, agent);
  // The last session resumed is a different one, so its own are unchanged afterwards.
  const truth = start(target, { seed, own }, [ownCase, ...cases]);
  const bodies = bodiesIn(join(work, "out", version, "handover.work", "bodies"));
  const after = join(work, "out", version, "handover", AGENTS[agent]);
  const others = {
    changed: changedIn(own, after),
    own: judgedWays(target, ownCase, { truth, bodies }),
    // Some lists omit sessions of print mode; an empty screen proves nothing.
    listed:
      plain(truth.before ?? "").trim() === ""
        ? "THE LIST WAS NOT SEEN"
        : !isListed(truth.before, ownCase.title) ||
          isListed(truth.list, ownCase.title) ||
          "NO LONGER LISTED",
  };
  for (const handed of cases) {
    const findings = {
      ...judged(target, handed, { truth, bodies }),
      untouched: others.changed.length === 0 || `CHANGED ${others.changed.join(", ")}`,
      ...others.own,
      "own session listed": others.listed,
    };
    const wrong = Object.entries(findings).filter(([, finding]) => finding !== true);
    report(`${name}: ${handed.name}`, wrong);
    proved.cases = proved.cases.filter(
      (known) =>
        known.target !== `${agent} ${version}` ||
        known.from !== from ||
        known.story !== handed.name,
    );
    if (wrong.length > 0) failures += 1;
    else proved.cases.push(recordOf(target, handed));
  }
  if (options.record) record(proved.cases);
}

function record(cases) {
  writeFileSync(proofs, recordText(cases));
  const text = readFileSync(guide, "utf8")
    .replace(/^\| conversation [^]*?\n(?=\n)/m, () => proofTable(cases))
    .replace(/^\| from [^]*?\n(?=\n)/m, () => pairsTable(cases));
  writeFileSync(guide, text);
}

/** One of the target's own sessions, which must continue to work. */
async function ownSession(root, agent) {
  const library = open({ roots: [root], environment: { env: {} } });
  const request = { to: agent, into: root, projectPath: PROJECT, nowMs, writes: "dry-run" };
  const { conversation } = await library.handover("latest", { ...request, masking: "plain" });
  const { id, title } = (await library.transcript("latest")).session;
  await library.close();
  // Only the texts; calls are in the agent's own format.
  const items = conversation.items.map(({ kind, text }) => {
    return { kind, text: text.replace(/^\[Continued from [^\]]*\]\s*/, "") };
  });
  return { id, title, items, words: { print: "Check its own by print: go on." } };
}

/** Prepares one session and writes it for the target. */
async function handedOver({ name, story, options: more }, { from, agent, version, seed }) {
  const source = sources.find(({ id }) => id === from);
  const at = Object.keys(AGENTS).indexOf(from);
  const tree = story in MADE ? undefined : RECORDED[story][at];
  const root = tree
    ? join(fixtures, "corpora", tree, AGENTS[from])
    : writeMade(story, { source, folder: join(work, "made"), nowMs: nowMs - 1000 });
  const library = open({
    roots: [root],
    environment: { env: { POLLUX_HOME: join(work, "pollux") } },
  });
  const place = { to: agent, into: seed, forVersion: version, projectPath: PROJECT };
  const request = { ...place, ...more, nowMs };
  const { conversation } = await library.handover("latest", { ...request, writes: "dry-run" });
  const { sessionId, title, file } = await library.handover("latest", request);
  await library.close();
  const words = {
    print: `Check ${name} by print: go on.`,
    screen: `Check ${name} by screen: go on.`,
  };
  if (!tree) rmSync(join(work, "made"), { recursive: true, force: true });
  const text = readFileSync(file, "utf8");
  return { name, id: sessionId, title, items: conversation.items, text, words };
}

function start({ agent, version, scenario }, { seed, own }, cases) {
  const tool = toolWith(join(options.tools, agent), join(work, "tool"), scenario);
  // Lists show as many rows as the screen is high.
  const runner = join(tool, "run.mjs");
  writeFileSync(runner, readFileSync(runner, "utf8").replaceAll("'-y', '50'", "'-y', '90'"));
  return play(tool, {
    version,
    scenario: "handover",
    out: join(work, "out"),
    env: {
      LAB: join(resolve(options.labs), agent),
      DUMP: "1",
      FORCE: "1",
      SLOW: "3",
      HANDOVER_SEED: seed,
      HANDOVER_OWN: own,
      HANDOVER_CASES: JSON.stringify(cases.map(({ id, words }) => ({ id, words }))),
    },
  });
}

function bodiesIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  // Requests for titles and the like are outside the conversation.
  const asked = names.filter((name) => name.includes("-main"));
  return asked.map((file) => readFileSync(join(folder, file), "utf8"));
}

/** Files of a folder that differ in another one or are missing there. */
function changedIn(folder, after) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !isOwnList(path) && !isAsBefore(join(folder, path), join(after, path)));
}

function isAsBefore(path, after) {
  if (!existsSync(after)) return false;
  const [before, now] = [path, after].map((file) => readFileSync(file, "latin1"));
  return now.startsWith(before) && TITLE.test(now.slice(before.length));
}

/** Lists to which each run adds a line. */
function isOwnList(path) {
  return /(session_index|history|logs|usage_record)\.jsonl?$/.test(path);
}

function judged(target, handed, found) {
  const listed = isListed(found.truth.list, handed.title) || "NOT LISTED";
  return { listed, ...judgedWays(target, handed, found) };
}

/** Whether the list shows the title, in full or cut to its width. */
function isListed(list = "", title) {
  const [shown, wanted] = [plain(list), plain(title).trim()];
  if (shown.includes(wanted)) return true;
  for (let length = wanted.length - 1; length >= 40; length -= 1) {
    const at = shown.indexOf(wanted.slice(0, length));
    if (at !== -1) return /^\s?(?:…|\.\.\.)/.test(shown.slice(at + length));
  }
  return false;
}

function judgedWays({ dialect }, { id, words, items, name }, { truth, bodies }) {
  const recorded = truth.handover?.find((session) => session.id === id) ?? {};
  return Object.fromEntries(
    Object.entries(words).map(([how, said]) => {
      const sent = bodies.filter((body) => body.includes(said)).map((body) => JSON.parse(body));
      if (name !== undefined) return [how, recorded[how] ?? judgedRequests(dialect, sent, items)];
      const missing = sent[0] ? missingIn(dialects[dialect](sent[0]), items) : "ALL";
      return ["own session resumed", recorded[how] ?? (missing === undefined || "MISSING")];
    }),
  );
}

function judgedRequests(dialect, sent, items) {
  const [first] = sent;
  if (!first) return "NOTHING SENT";
  const missing = missingIn(dialects[dialect](first), items);
  if (missing) return `MISSING ${JSON.stringify(missing).slice(0, 300)}`;
  const refused = refusedBy(dialect, first);
  if (refused) return `REFUSED ${refused.slice(0, 300)}`;
  const isCalled = sent.some((body) => {
    const results = dialects[dialect](body).filter(({ kind }) => kind === "result");
    return results.at(-1)?.text.includes(MARKER);
  });
  return isCalled || "NO NEW CALL";
}

function plain(text) {
  return text.replace(/\s+/g, " ");
}

function report(name, wrong) {
  console.log(`${name} ${wrong.length === 0 ? "is proved" : "IS NOT PROVED"}`);
  for (const [what, finding] of wrong) console.log(`  ${what}: ${finding}`);
}

/** One case per line, sorted. */
function recordText(cases) {
  const key = ({ target, from, story }) => `${target} ${from} ${story}`;
  const ordered = cases.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  const lines = ordered.map((proof) => `  ${JSON.stringify(proof)}`);
  return `{\n "cases": [\n${lines.join(",\n")}\n ]\n}\n`;
}

/** A summary that identifies the case. */
function recordOf({ agent, version, from }, { name: story, items, text }) {
  const target = `${agent} ${version}`;
  const file = digestOf(text, nowMs);
  // Earlier cases only compared the agent's own sessions byte by byte.
  return { target, from, story, items: items.length, file, ownSessions: "listed and resumed" };
}
