// Measures the home of a heavy user: 50,000 sessions of all agents, about 10 GB.
import { spawn } from "node:child_process";
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { AGENTS, makeHome } from "./make-home.mjs";
import { best, run, sizeOf } from "./measure.mjs";
import { searchAll, searchLine } from "./search.mjs";
import { ask, firstAnswer, usedBy } from "./server.mjs";

const SESSIONS = 50_000;
const STANDARD = 1500;
const SEED = 5;
const RUNS = 3;
const GIGABYTE = 1e9;
const IDLE_MS = 10_000;

export async function measureLarge(program, { work, home: made, ccusage, environment }) {
  const home = made ?? homeOf(join(work, "large"), SESSIONS);
  const truth = JSON.parse(readFileSync(join(home, "truth.json"), "utf8"));
  const asked = (...words) => [process.execPath, program, ...words];
  const here = { environment: environment(home), home, asked, program };
  const standard = homeOf(join(work, "standard"), STANDARD);
  await run(asked("keep", "--json"), environment(standard), standard);
  const there = { ...here, environment: environment(standard), home: standard };
  const lines = [];
  // Print results as they arrive: the run takes half an hour.
  const tell = (...known) => {
    console.error(known.join("\n"));
    lines.push(...known);
  };
  tell(`${truth.sessions} sessions of all agents, ${(truth.bytes / GIGABYTE).toFixed(1)} GB:`, "");
  tell(...(await firstUsage(here, { truth, ccusage })));
  tell(...(await keep(here)));
  tell(...(await questions(here, there)));
  tell(`- ${searchLine(searchAll(program, home))}`);
  tell(await webApp(here));
  tell(await watching(here));
  return lines;
}

function homeOf(folder, sessions) {
  mkdirSync(folder);
  makeHome(folder, sessions, SEED, AGENTS);
  return folder;
}

async function firstUsage({ environment, home, asked }, { truth, ccusage }) {
  rmSync(join(home, "pollux"), { recursive: true, force: true });
  const began = performance.now();
  const bytes = readAll(home);
  const readSeconds = (performance.now() - began) / 1000;
  const done = [];
  for (let turn = 0; turn < RUNS; turn += 1) {
    done.push(await run(asked("usage", "--by", "month", "--json"), environment, home));
  }
  const counted = JSON.parse(done[0].text).totals.tokens.total;
  const paid = Object.values(truth.byAgent).reduce((sum, { total }) => sum + total, 0);
  if (counted !== paid) throw new Error(`usage says ${counted}, not ${paid}.`);
  const own = best(done);
  const peer =
    ccusage && (await run([ccusage, "monthly", "--json", "--offline"], environment, home));
  const ratio = (own.seconds / readSeconds).toFixed(1);
  return [
    `- Reading all bytes once: ${readSeconds.toFixed(1)} s, ${rate(bytes, readSeconds)}.`,
    `- First \`usage\`: ${used(own)}; ${ratio}x of reading.`,
    ...(peer
      ? [
          `- ccusage: ${used(peer)}; \`usage\` takes ${(own.seconds / peer.seconds).toFixed(2)}x of it.`,
        ]
      : []),
  ];
}

/** Reads all files one by one through one buffer. */
function readAll(folder) {
  const buffer = Buffer.allocUnsafe(1 << 20);
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = openSync(join(entry.parentPath, entry.name));
    for (let count = -1; count !== 0; bytes += count) count = readSync(file, buffer);
    closeSync(file);
  }
  return bytes;
}

/** Keeps everything, including texts, and measures the size. */
async function keep({ environment, home, asked }) {
  const kept = await run(asked("keep", "--json"), environment, home);
  if (kept.code !== 0) throw new Error(`keep ended with ${kept.code}.`);
  const archive = join(home, "pollux");
  const total = sizeOf(home) - sizeOf(archive);
  const share = () => Math.round((sizeOf(archive) / total) * 100);
  const before = share();
  await run(asked("archive", "compact"), environment, home);
  return [
    `- \`keep\`, with all texts: ${used(kept)}, ${rate(total, kept.seconds)}.`,
    `- The archive: ${before} % of the bytes, ${share()} % after \`archive compact\`.`,
  ];
}

/** Queries may take at most twice as long as on the standard home. */
async function questions(large, standard) {
  const lines = [];
  for (const words of [["usage"], ["sessions", "--limit", "20"], ["show", "latest"]]) {
    const [here, there] = [[], []];
    for (let turn = 0; turn < RUNS; turn += 1) {
      for (const [place, done] of [
        [large, here],
        [standard, there],
      ]) {
        done.push(await run(place.asked(...words, "--json"), place.environment, place.home));
      }
    }
    const ratio = (best(here).seconds / best(there).seconds).toFixed(1);
    lines.push(`- \`${words.join(" ")}\`: ${used(best(here))}; ${ratio}x of ${STANDARD} sessions.`);
  }
  return lines;
}

async function webApp({ environment, home, asked }) {
  const [program, ...args] = asked("serve", "--port", "0", "--json");
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(program, args, { env: environment, cwd: home, stdio });
  try {
    const { url } = await firstAnswer(child);
    const began = performance.now();
    for (const path of ["", "api/about", "api/overview"]) await ask(url, path);
    const ms = Math.round(performance.now() - began);
    return `- Web app: first view ${ms} ms, ${Math.round(usedBy(child.pid).megabytes)} MB.`;
  } finally {
    child.kill();
  }
}

/** How soon a grown session is kept, and the cost of watching while idle. */
async function watching({ environment, home, asked }) {
  const [program, ...args] = asked("watch");
  const stdio = ["ignore", "ignore", "pipe"];
  const child = spawn(program, args, { env: environment, cwd: home, stdio });
  try {
    await nextLine(child);
    await wait(IDLE_MS);
    const before = usedBy(child.pid).cpuMs;
    await wait(IDLE_MS);
    const idle = usedBy(child.pid).cpuMs - before;
    const projects = join(home, ".claude", "projects");
    const name = readdirSync(projects, { recursive: true }).find((file) => file.endsWith(".jsonl"));
    const noticed = nextLine(child);
    const began = performance.now();
    appendFileSync(join(projects, name), '{"type":"summary","summary":"Grown","leafUuid":"x"}\n');
    await noticed;
    const ms = Math.round(performance.now() - began);
    return `- \`watch\`: a grown session kept after ${ms} ms; ${idle} ms of CPU in ${IDLE_MS / 1000} s without changes.`;
  } finally {
    child.kill();
  }
}

function nextLine(child) {
  return new Promise((resolve) => child.stderr.once("data", resolve));
}

function rate(bytes, seconds) {
  return `${Math.round(bytes / 1e6 / seconds)} MB/s`;
}

function used({ seconds, cpuSeconds, peakMegabytes }) {
  return `${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of CPU, ${Math.round(peakMegabytes)} MB)`;
}
