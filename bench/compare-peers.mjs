// Which tools count correctly? Runs Pollux and its peers from npm on the same homes and compares
// their sums with the truth. On demand only: it installs the peers into a temporary folder.
//
//   npm run build && node bench/compare-peers.mjs [--write] CORPUS [HOME…]
//
// CORPUS is a folder of trees with their API logs (`index.json`, `truth.json`); a HOME is made by a
// generator that writes `truth.json` beside `.gemini`. `--write` puts the result into
// docs/ledger.md.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeers, PEERS } from "./peers.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const table = JSON.parse(readFileSync(join(root, "prices", "google.json"), "utf8"));

/** Tolerance: costs are reported in micro-dollars; tokens must be exact. */
const FINE = { tokens: 0, usd: 1e-6 };

const args = process.argv.slice(2);
const [corpus, ...homes] = args.filter((arg) => !arg.startsWith("--"));
if (corpus === undefined) throw new Error("Which corpus? See the head of this file.");
/** The command of each peer. */
let peers;
const work = mkdtempSync(join(tmpdir(), "pollux-peers-"));
try {
  peers = installPeers(work)("gemini-cli");
  report([...corpusCases(corpus), ...homes.map(homeCase)].map(measure));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Trees that record everything the API returned, so that the truth is certain. */
function corpusCases(folder) {
  const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));
  return index.flatMap(({ dir, onDisk, api }) => {
    const home = join(folder, dir);
    if (onDisk.everyMessageId.n === 0 || onDisk.everyMessageId.total !== api.conversationTotal) {
      return [];
    }
    const { requests } = JSON.parse(readFileSync(join(home, "truth.json"), "utf8"));
    const paid = requests.filter(({ kind, usage }) => usage && /^(main|subagent)$/.test(kind));
    const micro = paid.reduce((sum, { model, usage }) => sum + cost(model, usage), 0);
    return [{ name: dir, home, tokens: api.conversationTotal, usd: micro / 1e12 }];
  });
}

function homeCase(home) {
  const { byModel } = JSON.parse(readFileSync(join(home, "truth.json"), "utf8"));
  const tokens = Object.values(byModel).reduce((sum, { total }) => sum + total, 0);
  return { name: basename(home), home, tokens };
}

/** In millionths of micro-dollars. */
function cost(model, { prompt, cached, candidates, thoughts, tool = 0 }) {
  const prices = table.models.find(({ id }) => id === model)?.prices[0];
  if (!prices) throw new Error(`${model} is not in the table.`);
  const rates = prices.above?.findLast(({ tokens }) => prompt > tokens) ?? prices;
  const input = (prompt - cached + tool) * rates.input;
  return input + cached * rates.cached + (candidates + thoughts) * rates.output;
}

function measure(entry) {
  const home = join(work, "home");
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  cpSync(join(entry.home, ".gemini"), join(home, ".gemini"), { recursive: true });
  return {
    ...entry,
    pollux: pollux(home),
    ccusage: ccusage(home),
    codeburn: codeburn(home),
    tokscale: tokscale(home),
  };
}

function pollux(home) {
  const bin = join(root, "dist", "pollux.js");
  const answer = ask([process.execPath, bin, "usage", "--by", "model", "--json"], home);
  const { tokens, costMicroUsd } = answer?.totals ?? {};
  return answer && { tokens: tokens.total, usd: (costMicroUsd ?? 0) / 1e6 };
}

function ccusage(home) {
  const answer = ask(peers.ccusage, home);
  return { tokens: answer?.totals?.totalTokens ?? 0, usd: answer?.totals?.totalCost ?? 0 };
}

/** Its library has no prices. */
function tokscale(home) {
  return { tokens: ask(peers.tokscale, home)?.totals?.totalTokens ?? 0 };
}

/** It does not report thoughts, so only its cost can be compared. */
function codeburn(home) {
  const answer = ask(peers.codeburn, home);
  return { usd: answer?.overview?.cost ?? 0 };
}

function ask([program, ...flags], home) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GEMINI_DATA_DIR: join(home, ".gemini"),
    TZ: "UTC",
  };
  const run = spawnSync(program, flags, { cwd: home, env, encoding: "utf8", maxBuffer: 1 << 28 });
  try {
    return JSON.parse(run.stdout);
  } catch {
    // No output or a message: nothing was found.
    return undefined;
  }
}

function report(cases) {
  const date = new Date().toISOString().slice(0, 10);
  const lines = [
    `${date}, Node ${process.versions.node}, ${cases.length} homes; 1.00 is the truth.`,
    "",
    "| | figure | right | homes with less | homes with more | lowest | highest |",
    "|---|---|---|---|---|---|---|",
    line(`pollux ${ownVersion()}`, "tokens", ratios(cases, "pollux", "tokens")),
    line("", "cost", ratios(cases, "pollux", "usd")),
    line(`ccusage ${PEERS.ccusage}`, "tokens", ratios(cases, "ccusage", "tokens")),
    line("", "cost", ratios(cases, "ccusage", "usd")),
    line(`codeburn ${PEERS.codeburn}`, "cost", ratios(cases, "codeburn", "usd")),
    line(`tokscale ${PEERS.tokscale}`, "tokens", ratios(cases, "tokscale", "tokens")),
    "",
    "Homes where any cost is off by more than one per cent:",
    "",
    "| home | pollux | ccusage | codeburn |",
    "|---|---|---|---|",
    ...cases.flatMap(({ name, usd, ...answers }) => {
      if (usd === undefined) return [];
      const costRatios = ["pollux", "ccusage", "codeburn"].map(
        (who) => (answers[who]?.usd ?? 0) / usd,
      );
      return costRatios.every((ratio) => Math.abs(ratio - 1) < 0.01)
        ? []
        : [`| ${name} | ${costRatios.map((ratio) => ratio.toFixed(2)).join(" | ")} |`];
    }),
  ];
  console.log(lines.join("\n"));
  if (args.includes("--write")) write(lines);
}

function ratios(cases, who, figure) {
  return cases.flatMap((entry) => {
    const truth = entry[figure];
    if (truth === undefined) return [];
    const counted = entry[who]?.[figure] ?? 0;
    return [Math.abs(counted - truth) <= FINE[figure] ? 1 : counted / truth];
  });
}

function line(name, figure, all) {
  const right = all.filter((ratio) => ratio === 1).length;
  const less = all.filter((ratio) => ratio < 1).length;
  const [low, high] = [Math.min(...all), Math.max(...all)].map((ratio) => ratio.toFixed(2));
  const more = all.length - right - less;
  const cells = [name, figure, `${right} of ${all.length}`, less, more, low, high];
  return `| ${cells.join(" | ")} |`;
}

function ownVersion() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
}

/** Writes between the two markers of the page. */
function write(lines) {
  const page = join(root, "docs", "ledger.md");
  const [open, close] = ["<!-- compare-peers -->", "<!-- /compare-peers -->"];
  const text = readFileSync(page, "utf8");
  const [before, rest] = text.split(open);
  const after = rest?.split(close)[1];
  if (after === undefined) throw new Error("docs/ledger.md has no marks for the result.");
  writeFileSync(page, `${before}${open}\n${lines.join("\n")}\n${close}${after}`);
}
