// Proves the home screen on a real terminal (tmux): its keys, its sizes, resizing, 50,000 sessions,
// and a slow store. Needs a build.
//
//   node scripts/prove-terminal.mjs [--only ACT] [--many HOME] [--record]
//
// ACT is keys, sizes, resize, many or slow. HOME is a home of 50,000 kept sessions; without it, one
// is made, which takes some minutes. --record writes the screens for the tests.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { missing, program, Tmux, withoutClock } from "./prove-terminal/tmux.mjs";
import { SIZES } from "./prove-terminal/sizes.mjs";

const project = join(import.meta.dirname, "..");
const folder = join(project, "test", "fixtures", "terminal");
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    many: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const MANY = 50_000;
/** Number of panels that show "reading …" at first. */
const PANELS = 8;
const demoNow = JSON.parse(readFileSync(join(project, "demo", "demo.json"), "utf8")).now;
const preload = pathToFileURL(join(project, "scripts", "prove-terminal", "preload.mjs")).href;
const node = `--import=${preload}`;

const why = missing();
if (why !== undefined) {
  console.error(why);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
const ACTS = { sizes, keys, resize, slow, many };
for (const [name, act] of Object.entries(ACTS)) {
  if (options.only === undefined || options.only === name) await act();
}

async function sizes() {
  for (const { columns, rows } of SIZES) {
    const tmux = new Tmux("--demo", { columns, rows });
    capture(`size-${columns}x${rows}`, await settled(tmux));
    tmux.end();
  }
}

/** One way through all screens; steps without a name are not captured. */
async function keys() {
  const { home, clock } = keptDemo();
  const tmux = new Tmux("", { columns: 100, rows: 30, home, env: clock });
  await settled(tmux);
  const steps = [
    ["all-time", "6", "[all]"],
    ["projects", "Tab", "[projects]"],
    ["project", "Enter", /1 of \d+/],
    ["transcript", "Enter", /session +[0-9a-f]{8}-/],
    ["", "Tab", /\d message/],
    ["message", "Enter", /\.jsonl?:\d+/],
    ["", "Escape", /session +[0-9a-f]{8}-/],
    ["", "Escape", /1 of \d+/],
    ["", "Escape", "[projects]"],
    ["", "/", "Type words of a prompt"],
    ["search", "postgres", /\d+ matches in \d+ sessions/],
    ["found", "Enter", "/ other words"],
    ["keys", "?", "search everything"],
    ["", "Escape", "/ other words"],
    ["", "Escape", "[projects]"],
    ["agents", "a", "Agent:"],
    ["", "Escape", "[projects]"],
    ["", "Tab", "[by model]"],
    ["", "Tab", "[by agent]"],
    ["", "Tab", "[by tool]"],
    ["", "Tab", "[insights]"],
    ["insights", "Enter", "Insights"],
  ];
  for (const [name, key, shown] of steps) {
    tmux.press(key);
    await tmux.shows(shown);
    if (name !== "") capture(`keys-${name}-100x30`, await settled(tmux));
  }
  tmux.press("q");
  await tmux.shows(/\$\s*$/);
  tmux.end();
}

/** After a resize, the screen must equal that of a new window of this size. */
async function resize() {
  const tmux = new Tmux("--demo", { columns: 120, rows: 30 });
  for (const { columns, rows } of SIZES.toReversed()) {
    tmux.resize(columns, rows);
    const wanted = readFileSync(fileOf(`size-${columns}x${rows}`), "utf8");
    await tmux.shows((screen) => withoutClock(screen) === wanted);
    say(`resized to ${columns} columns: as a new one`);
  }
  tmux.end();
}

/** With slow statements, nothing may be shown before it is known. */
async function slow() {
  const { home, clock } = keptDemo();
  const start = (ms) => {
    const env = { ...clock, PROOF_SLOW: String(ms) };
    return new Tmux("", { columns: 100, rows: 30, home, env });
  };
  const waiting = start(200);
  const all = (screen) => screen.match(/reading …/g)?.length >= PANELS;
  capture("slow-waiting-100x30", await waiting.shows(all));
  waiting.end();
  const tmux = start(20);
  await tmux.shows("? keys");
  tmux.press("2");
  await tmux.shows("[7 days]");
  tmux.press("3");
  await tmux.shows("[30 days]");
  capture("slow-answered-100x30", await settled(tmux));
  tmux.end();
}

async function many() {
  const home = options.many ?? makeMany();
  const waits = join(mkdtempSync(join(tmpdir(), "pollux-waits-")), "waits.json");
  const now = "2026-09-09T09:00:00Z";
  const env = { NODE_OPTIONS: node, PROOF_NOW: now, PROOF_WAITS: waits };
  const tmux = new Tmux("", { columns: 120, rows: 40, home, env });
  capture("many-120x40", await settled(tmux));
  tmux.press("6");
  await tmux.shows("50,000 active");
  capture("many-all-120x40", await settled(tmux));
  tmux.press("Tab", "Tab", "Enter");
  await tmux.shows(/1 of \d+,\d+/);
  tmux.press("End");
  await tmux.shows(/(\d+,\d+) of \1/);
  capture("many-end-120x40", await settled(tmux));
  tmux.type("/caf");
  await tmux.shows(/matches in/);
  capture("many-found-120x40", await settled(tmux));
  tmux.end();
  const { longestWaitMs } = JSON.parse(readFileSync(waits, "utf8"));
  say(`50,000 sessions: no key waited longer than ${longestWaitMs} ms`);
  if (options.record)
    writeFileSync(join(folder, "many.json"), `${JSON.stringify({ longestWaitMs })}\n`);
}

function makeMany() {
  const home = mkdtempSync(join(tmpdir(), "pollux-many-"));
  const maker = join(project, "bench", "make-home.mjs");
  const args = [maker, home, "--sessions", String(MANY), "--agents", "all", "--small"];
  say(`making ${MANY} sessions in ${home}`);
  spawnSync(process.execPath, args, { stdio: "ignore" });
  pollux(home, ["keep"]);
  return home;
}

/** The demo as a home with an archive; always the same path, because screens show it. */
function keptDemo() {
  const home = join(tmpdir(), "pollux-proof");
  rmSync(home, { recursive: true, force: true });
  cpSync(join(project, "demo", "home"), home, { recursive: true });
  // A file newer than the clock would be read again and again.
  spawnSync("find", [home, "-type", "f", "-exec", "touch", "-d", "2026-11-14", "{}", "+"]);
  const clock = { NODE_OPTIONS: node, PROOF_NOW: demoNow };
  pollux(home, ["keep"], clock);
  return { home, clock };
}

function pollux(home, args, env = {}) {
  const all = { ...env, HOME: home, PATH: process.env.PATH };
  const run = spawnSync(process.execPath, [program, ...args], { env: all, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`pollux ${args.join(" ")}: ${run.stderr}`);
}

/** The screen when nothing is being read any more. */
async function settled(tmux) {
  let before = "";
  for (let turn = 0; turn < 120; turn += 1) {
    await sleep(500);
    const screen = tmux.screen();
    if (screen === before && !/reading …|searching …|keeping|^\s*$/.test(screen)) return screen;
    before = screen;
  }
  throw new Error(`The screen does not come to rest:\n${before}`);
}

function fileOf(name) {
  return join(folder, `${name}.txt`);
}

/** Writes a screen, or compares it with the recorded one. */
function capture(name, screen) {
  const text = withoutClock(screen);
  const file = fileOf(name);
  if (options.record) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
    return say(`${name}: recorded`);
  }
  const isSame = existsSync(file) && readFileSync(file, "utf8") === text;
  say(`${name}: ${isSame ? "as recorded" : `not as recorded\n${text}`}`);
  if (!isSame) process.exitCode = 1;
}

function say(text) {
  console.log(text);
}
