// Generates a home for benchmarks: the same bytes for the same arguments, with its true sums.
//
//   node bench/make-home.mjs HOME --sessions 1500 [--agents all|gemini-cli,claude-code,…]
//                            [--seed 1] [--megabytes 500] [--small]
//
// Writes HOME/.gemini, HOME/.claude, HOME/.codex, HOME/.qwen and HOME/truth.json. Sizes are
// distributed as in real homes: many small sessions, a few large ones. --megabytes continues until
// this size is reached. --small makes only small sessions, for homes with very many.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeClaudeSession } from "./homes/claude-code.mjs";
import { writeCodexSession } from "./homes/codex.mjs";
import { newRandom } from "./homes/draw.mjs";
import { writeGeminiSession } from "./homes/gemini-cli.mjs";
import { writeQwenSession } from "./homes/qwen-code.mjs";

const WRITERS = {
  "gemini-cli": writeGeminiSession,
  "claude-code": writeClaudeSession,
  codex: writeCodexSession,
  "qwen-code": writeQwenSession,
};
export const AGENTS = Object.keys(WRITERS);
const FIELDS = ["input", "cached", "cacheWrite", "output", "thoughts", "tool", "total"];

/** Writes the home; returns its sums, in total, by model and by agent. */
export function makeHome(home, sessions, seed = 1, agents = ["gemini-cli"]) {
  return makeHomeUntil(home, { seed, agents, isEnough: ({ sessions: made }) => made >= sessions });
}

export function makeHomeUntil(home, { seed = 1, agents, size, isEnough }) {
  const random = newRandom(seed, size);
  const truth = { sessions: 0, bytes: 0, requests: 0, byModel: {}, byAgent: {} };
  mkdirSync(home, { recursive: true });
  while (!isEnough(truth)) {
    const agent = agents[truth.sessions % agents.length];
    const { bytes, replies } = WRITERS[agent](home, random, truth.sessions);
    truth.sessions += 1;
    truth.bytes += bytes;
    truth.requests += replies.length;
    for (const { model, tokens } of replies) {
      count((truth.byModel[model] ??= none()), tokens);
      count((truth.byAgent[agent] ??= none()), tokens);
    }
  }
  writeFileSync(join(home, "truth.json"), JSON.stringify(truth, null, 2));
  return truth;
}

function none() {
  return Object.fromEntries(FIELDS.map((field) => [field, 0]));
}

function count(sums, tokens) {
  for (const field of FIELDS) sums[field] += tokens[field];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sessions: { type: "string", default: "100" },
      megabytes: { type: "string" },
      agents: { type: "string", default: "gemini-cli" },
      seed: { type: "string", default: "1" },
      small: { type: "boolean", default: false },
    },
  });
  const [home] = positionals;
  const agents = values.agents === "all" ? AGENTS : values.agents.split(",");
  const unknown = agents.find((agent) => !AGENTS.includes(agent));
  if (home === undefined) throw new Error("Name a folder for the home.");
  if (unknown !== undefined) throw new Error(`Unknown agent ${unknown}: ${AGENTS.join(", ")}.`);
  const most = Number(values.megabytes ?? values.sessions);
  if (!(most > 0)) throw new Error("--sessions and --megabytes take a number above zero.");
  const isEnough = ({ sessions, bytes }) =>
    values.megabytes === undefined ? sessions >= most : bytes >= most * 1e6;
  const size = values.small ? "small" : "usual";
  const seed = Number(values.seed);
  console.log(JSON.stringify(makeHomeUntil(home, { seed, agents, size, isEnough })));
}
