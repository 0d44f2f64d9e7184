// Which tools count the other agents correctly? Runs Pollux and its peers from npm on corpus trees
// that record everything the API returned, and compares tokens with the API's log. On demand only:
// it installs the peers into a temporary folder.
//
//   npm run build && node bench/compare-agents.mjs [--write] AGENT=CORPUS…
//
// AGENT is claude-code, codex or qwen-code; CORPUS has an `index.json` and trees with their API
// logs. `--write` puts the result into docs/ledger.md.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeers, PEERS } from "./peers.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const WHO = { pollux: ownVersion(), ...PEERS };

/** Each agent's home folder, and how to read the paid tokens from a tree's index entry. */
const AGENTS = {
  "claude-code": {
    name: "Claude Code",
    home: ".claude",
    paid({ ruleExact, books }) {
      return ruleExact ? sum(Object.values(books)) : 0;
    },
  },
  codex: {
    name: "Codex",
    home: ".codex",
    paid({ onDisk, api: { conversation } }) {
      return onDisk.exact ? conversation.input + conversation.output : 0;
    },
  },
  "qwen-code": {
    name: "Qwen Code",
    home: ".qwen",
    paid({ onDisk, books }) {
      const recorded = Object.entries(books.byKind ?? {})
        .filter(([kind]) => !["suggestion", "permission"].includes(kind))
        .map(([, { total }]) => total);
      return onDisk.telemetry?.total === sum(recorded) ? sum(recorded) : 0;
    },
  },
};

const args = process.argv.slice(2);
const asked = args.filter((arg) => !arg.startsWith("--")).map((arg) => arg.split("="));
if (asked.length === 0) throw new Error("Which corpora? See the head of this file.");
const work = mkdtempSync(join(tmpdir(), "pollux-peers-"));
try {
  const peers = installPeers(work);
  report(asked.map(([agent, corpus]) => [agent, measureAll(agent, corpus, peers(agent))]));
} finally {
  rmSync(work, { recursive: true, force: true });
}

function measureAll(agent, corpus, peers) {
  const { home, paid } = AGENTS[agent];
  const index = JSON.parse(readFileSync(join(corpus, "index.json"), "utf8"));
  return index.flatMap((entry) => {
    const name = `${entry.version}/${entry.scenario}`;
    const tokens = paid(entry);
    const folder = join(corpus, name, home);
    if (tokens === 0 || !existsSync(folder)) return [];
    const place = join(work, "home");
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    cpSync(folder, join(place, home), { recursive: true });
    return [{ name, tokens, counted: answersOf(place, peers) }];
  });
}

function answersOf(home, peers) {
  const own = [process.execPath, join(root, "dist", "pollux.js"), "usage", "--by", "agent"];
  const tokens = ask(peers.codeburn, home)?.overview?.tokens ?? {};
  return {
    pollux: ask([...own, "--since", "2020-01-01", "--json"], home)?.totals?.tokens?.total ?? 0,
    ccusage: ask(peers.ccusage, home)?.totals?.totalTokens ?? 0,
    codeburn: sum(Object.values(tokens)),
    tokscale: (peers.tokscale && ask(peers.tokscale, home))?.totals?.totalTokens ?? 0,
  };
}

function ask([program, ...flags], home) {
  const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC" };
  const run = spawnSync(program, flags, { cwd: home, env, encoding: "utf8", maxBuffer: 1 << 28 });
  try {
    return JSON.parse(run.stdout);
  } catch {
    // No output or a message: nothing was found.
    return undefined;
  }
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function report(measured) {
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}; tokens, 1.00 is the truth.`,
    "",
    "| agent | tool | right | homes with less | homes with more | lowest | highest |",
    "|---|---|---|---|---|---|---|",
    ...measured.flatMap(([agent, homes]) => {
      const known = Object.entries(WHO).filter(([who]) =>
        homes.some(({ counted }) => counted[who] > 0),
      );
      return known.map(([who, version]) =>
        line(agent, `${who} ${version}`, {
          ratios: homes.map(({ tokens, counted }) => counted[who] / tokens),
        }),
      );
    }),
    "",
    "Homes where any of them is off by more than one per cent, of agents that most of them know:",
    "",
    "| agent | home | pollux | ccusage | codeburn | tokscale |",
    "|---|---|---|---|---|---|",
    ...measured.flatMap(([agent, homes]) => {
      const known = Object.keys(WHO).filter((who) => {
        return homes.some(({ tokens, counted }) => counted[who] === tokens);
      });
      if (known.length < 3) return [];
      const wrong = homes.filter(({ tokens, counted }) => {
        return known.some((who) => Math.abs(counted[who] / tokens - 1) > 0.01);
      });
      return wrong.map(({ name, tokens, counted }) => {
        const shares = Object.keys(WHO).map((who) => {
          return known.includes(who) ? (counted[who] / tokens).toFixed(2) : "–";
        });
        return `| ${AGENTS[agent].name} | ${name} | ${shares.join(" | ")} |`;
      });
    }),
  ];
  console.log(lines.join("\n"));
  if (args.includes("--write")) write(lines);
}

function line(agent, who, { ratios }) {
  const right = ratios.filter((ratio) => ratio === 1).length;
  const less = ratios.filter((ratio) => ratio < 1).length;
  const more = ratios.length - right - less;
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  const cells = [AGENTS[agent].name, who, `${right} of ${ratios.length}`, less, more, low, high];
  return `| ${cells.join(" | ")} |`;
}

function ownVersion() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
}

/** Writes between the two markers of the page. */
function write(lines) {
  const page = join(root, "docs", "ledger.md");
  const [open, close] = ["<!-- compare-agents -->", "<!-- /compare-agents -->"];
  const text = readFileSync(page, "utf8");
  const [before, rest] = text.split(open);
  const after = rest?.split(close)[1];
  if (after === undefined) throw new Error("docs/ledger.md has no marks for the result.");
  writeFileSync(page, `${before}${open}\n${lines.join("\n")}\n${close}${after}`);
}
