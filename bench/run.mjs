// Measures the built program, beside peers from npm if they can be installed.
//
//   npm run bench -- [--write] [--no-peers] [--sessions 1500] [--larger 8000] [--megabytes 485]
//                    [--runs 5]
//   npm run bench -- --large [--home DIR]
//
// Makes homes with a quarter, a half and all of the sessions, checks every program's sums, then
// runs all programs in turn and takes the best run of each. Then measures the first usage on homes
// of each agent, and queries after a change on all of the sessions and on the larger home (`0`
// skips it: keeping it takes minutes). `--write` puts the result into docs/benchmark.md. `--large`
// instead measures 50,000 sessions of all agents, about 10 GB (`--home`: one made before by
// `bench/make-home.mjs --sessions 50000 --agents all`); it takes half an hour.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { afterChangeTable, measureAfterChange } from "./after-change.mjs";
import { measureColdUsage } from "./cold-usage.mjs";
import { measureLarge } from "./large.mjs";
import { makeHome } from "./make-home.mjs";
import { best, run, sizeOf } from "./measure.mjs";
import { installPeers, PEERS, totalIn } from "./peers.mjs";
import { searchAll, searchLine } from "./search.mjs";
import { measureServer } from "./server.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const generator = join(root, "..", "shared", "bench", "gen.mjs");
const { values: asked } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    "no-peers": { type: "boolean", default: false },
    sessions: { type: "string", default: "1500" },
    larger: { type: "string", default: "8000" },
    megabytes: { type: "string", default: "485" },
    runs: { type: "string", default: "5" },
    large: { type: "boolean", default: false },
    home: { type: "string" },
    program: { type: "string", default: join(root, "dist", "pollux.js") },
  },
});
const runs = Number(asked.runs);
const bin = asked.program;
const KEEP = "pollux keep, everything";
const work = mkdtempSync(join(tmpdir(), "pollux-bench-"));
try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main() {
  const peersOf = asked["no-peers"] ? () => ({}) : tryPeers();
  const peers = peersOf("gemini-cli");
  if (asked.large) {
    const ccusage = peers.ccusage?.[0];
    tell(await measureLarge(bin, { work, home: asked.home, ccusage, environment }));
    return;
  }
  const sizes = [4, 2, 1].map((part) => Math.ceil(Number(asked.sessions) / part));
  const homes = sizes.map((sessions) => prepare(sessions));
  const tables = [];
  for (const home of homes) tables.push(await measureHome(home, peers));
  const cold = await measureColdUsage(bin, {
    folder: work,
    megabytes: Number(asked.megabytes),
    peersOf,
    runs,
    environment,
  });
  const after = Number(asked.larger) > 0 ? ["", ...(await afterChange(homes.at(-1), peers))] : [];
  tell([...(await smallThings()), "", ...report(homes, tables), "", ...cold, ...after]);
}

/** The home used so far is kept already; the larger one is kept here. */
async function afterChange(home, peers) {
  const larger = prepare(Number(asked.larger));
  await run([process.execPath, bin, "keep", "--json"], environment(larger.path), larger.path);
  const measured = async ({ path, sessions }) => {
    const options = { environment: environment(path), runs };
    return { sessions, measured: await measureAfterChange(bin, path, options) };
  };
  const peer = peers.ccusage && (await run(peers.ccusage, environment(larger.path), larger.path));
  const kept = sizeOf(join(larger.path, "pollux")) / 1e6 / larger.megabytes;
  return [
    ...afterChangeTable(await measured(home), await measured(larger), peer?.seconds),
    "",
    `The archive of ${larger.sessions} sessions takes ${Math.round(kept * 100)} % of their bytes.`,
  ];
}

/** Without peers (no network), only Pollux is measured. */
function tryPeers() {
  const folder = join(work, "peers");
  mkdirSync(folder);
  try {
    return installPeers(folder);
  } catch (error) {
    console.error(String(error));
    return () => ({});
  }
}

function prepare(sessions) {
  const path = join(work, `home-${sessions}`);
  mkdirSync(path);
  if (existsSync(generator)) spawnSync(process.execPath, [generator, path, String(sessions), "7"]);
  else makeHome(path, sessions, 7);
  const truth = JSON.parse(readFileSync(join(path, "truth.json"), "utf8"));
  const tokens = Object.values(truth.byModel).reduce((sum, { total }) => sum + total, 0);
  return { path, sessions, megabytes: truth.bytes / 1e6, tokens };
}

/** The commands measured on each home; `before` prepares the state of a run. */
function candidates(home, peers) {
  const data = join(home.path, "pollux");
  const forget = () => rmSync(data, { recursive: true, force: true });
  const pollux = (...args) => [process.execPath, bin, ...args];
  const usage = pollux("usage", "--by", "month", "--json");
  return [
    ...Object.entries(peers).map(([name, command]) => ({ name, command })),
    { name: "pollux usage, nothing kept yet", command: usage, before: forget },
    { name: KEEP, command: pollux("keep", "--json"), before: forget },
    { name: "pollux usage, kept", command: usage },
    { name: "pollux sessions", command: pollux("sessions", "--json", "--limit", "20") },
    { name: "pollux show latest", command: pollux("show", "latest", "--json") },
    { name: "pollux search", command: pollux("search", "session", "--json") },
  ];
}

async function measureHome(home, peers) {
  const all = candidates(home, peers).map((candidate) => ({ ...candidate, done: [] }));
  for (const candidate of all) await check(candidate, home);
  const keep = all.filter(({ name }) => name === KEEP);
  const cold = all.filter(isCold);
  const compared = all.filter(({ name }) => name in PEERS);
  for (const candidate of keep) await runOnce(candidate, home);
  for (let turn = 0; turn < runs; turn += 1) {
    // Cold runs delete the archive, so they are measured after the others.
    for (const candidate of all) {
      if (keep.includes(candidate) || cold.includes(candidate)) continue;
      // Run once first, so that nothing has changed since the last query.
      await run(candidate.command, environment(home.path), home.path);
      await runOnce(candidate, home);
    }
  }
  home.searches = searchAll(bin, home.path);
  // Cold runs twice per turn: the peers had one turn already, so all get the same number.
  for (let turn = 0; turn < runs; turn += 1) {
    for (const candidate of [...cold, ...compared, ...cold]) await runOnce(candidate, home);
  }
  // Last, because its writes would still be flushed while others are measured.
  for (let turn = 1; turn < runs; turn += 1)
    for (const candidate of keep) await runOnce(candidate, home);
  return new Map(all.map(({ name, done, share }) => [name, { ...best(done), share }]));
}

function isCold({ name }) {
  return name.includes("nothing kept");
}

async function runOnce(candidate, { path }) {
  candidate.before?.();
  const measured = await run(candidate.command, environment(path), path);
  if (measured.code !== 0) throw new Error(`${candidate.name} ended with ${measured.code}.`);
  candidate.done.push(measured);
}

/** Pollux must be correct; a wrong sum of a peer is shown beside its time. */
async function check(candidate, home) {
  candidate.before?.();
  const answer = await run(candidate.command, environment(home.path), home.path);
  if (answer.code !== 0) throw new Error(`${candidate.name} ended with ${answer.code}.`);
  const counted = totalIn(answer);
  if (counted === undefined || counted === home.tokens) return;
  if (!(candidate.name in PEERS))
    throw new Error(`${candidate.name} says ${counted}, not ${home.tokens}.`);
  candidate.share = counted / home.tokens;
}

function environment(home) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    POLLUX_HOME: join(home, "pollux"),
    GEMINI_DATA_DIR: join(home, ".gemini"),
    TZ: "UTC",
  };
}

function report(homes, tables) {
  const [largest] = homes.slice(-1);
  const [table] = tables.slice(-1);
  const base = table.get("ccusage")?.seconds;
  const head = `${largest.sessions} sessions, ${Math.round(largest.megabytes)} MB:`;
  const rows = [...table].map(([name, { seconds, cpuSeconds, peakMegabytes, share }]) => {
    const ratio = base === undefined ? "–" : `${(seconds / base).toFixed(2)}x`;
    const growth = tables.map((known) => known.get(name).seconds.toFixed(2)).join(" / ");
    const used = `${cpuSeconds.toFixed(2)} s | ${Math.round(peakMegabytes)} MB`;
    return `| ${label(name, share)} | ${seconds.toFixed(2)} s | ${ratio} | ${used} | ${growth} |`;
  });
  const kept = table.get(KEEP);
  return [
    head,
    "",
    "| | wall | of ccusage | CPU | peak memory | wall at 1x / 2x / 4x (s) |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    `Taking everything in: ${Math.round(largest.megabytes / kept.seconds)} MB/s.`,
    "",
    searchLine(largest.searches),
  ];
}

function label(name, share) {
  if (!(name in PEERS)) return name;
  const wrong = share === undefined ? "" : ` (${share.toFixed(2)} of the tokens)`;
  return `${name} ${PEERS[name]}${wrong}`;
}

/** Startup time and package size, which do not depend on a home. */
async function smallThings() {
  const empty = [];
  const version = [];
  for (let turn = 0; turn < runs * 2; turn += 1) {
    empty.push(await run([process.execPath, "-e", "0"], environment(work), work));
    version.push(await run([process.execPath, bin, "--version"], environment(work), work));
  }
  const [bare, startMs] = [best(empty), best(version)].map(({ seconds }) => seconds * 1000);
  const ratio = `${(startMs / bare).toFixed(2)}x of \`node -e 0\` (${Math.round(bare)} ms)`;
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ` +
      `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, best of ${runs}.`,
    "",
    `- \`pollux --version\`: ${Math.round(startMs)} ms, ${ratio}.`,
    `- Installed from the packed tarball: ${footprint()}.`,
    `- ${await webApp()}.`,
  ];
}

async function webApp() {
  const { startMs, megabytes, cpuMs, idleMs, messages } = await measureServer(
    bin,
    join(work, "web"),
  );
  const started = `Web app: first page ${Math.round(startMs)} ms after its start`;
  const idle = `${Math.round(cpuMs)} ms of CPU in ${idleMs / 1000} s`;
  const held = `a session of ${messages.toLocaleString("en")} messages shown, then idle`;
  return `${started}; with ${held}: ${Math.round(megabytes)} MB, ${idle}`;
}

function footprint() {
  const folder = join(work, "install");
  mkdirSync(folder);
  const quiet = ["--ignore-scripts", "--silent"];
  const packed = spawnSync("npm", ["pack", ...quiet, "--pack-destination", folder], { cwd: root });
  const file = packed.stdout?.toString().trim().split("\n").at(-1) ?? "";
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  const args = ["i", ...quiet, "--no-audit", "--omit=dev", join(folder, file)];
  if (spawnSync("npm", args, { cwd: folder }).status !== 0) return "could not be installed here";
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const size = sizeOf(join(folder, "node_modules")) / 1e6;
  const archive = statSync(join(folder, file)).size / 1e6;
  const count = Object.keys(packages).length - 1;
  return `${size.toFixed(1)} MB in ${count} packages (tarball ${archive.toFixed(1)} MB)`;
}

/** Prints the result and writes it between the markers of the page. */
function tell(lines) {
  console.log(lines.join("\n"));
  if (!asked.write || asked.large) return;
  const page = join(root, "docs", "benchmark.md");
  const [open, close] = ["<!-- result -->", "<!-- /result -->"];
  const [before, rest] = readFileSync(page, "utf8").split(open);
  const after = rest?.split(close)[1];
  if (after === undefined) throw new Error("docs/benchmark.md has no marks for the result.");
  writeFileSync(page, `${before}${open}\n\n${lines.join("\n")}\n\n${close}${after}`);
}
