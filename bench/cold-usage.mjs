// Measures the first `usage` with an empty store, on homes of several agents, beside the peers.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeHomeUntil } from "./make-home.mjs";
import { best, run } from "./measure.mjs";
import { totalIn } from "./peers.mjs";

const AGENTS = ["claude-code", "codex", "gemini-cli", "qwen-code"];

/** Measures a home of each agent. A peer that counts wrong is timed, too, and marked. */
export async function measureColdUsage(program, { folder, megabytes, peersOf, runs, environment }) {
  const lines = [];
  for (const agent of AGENTS) {
    const home = join(folder, `cold-${agent}`);
    mkdirSync(home);
    makeHomeUntil(home, {
      seed: 7,
      agents: [agent],
      isEnough: ({ bytes }) => bytes >= megabytes * 1e6,
    });
    const truth = JSON.parse(readFileSync(join(home, "truth.json"), "utf8"));
    const pollux = [process.execPath, program, "usage", "--by", "month", "--json"];
    const all = Object.entries({ pollux, ...peersOf(agent) });
    const done = new Map(all.map(([who]) => [who, []]));
    for (let turn = 0; turn <= runs; turn += 1) {
      for (const [who, command] of all) {
        const ended = await run(command, environment(home), home);
        // The first turn warms the file cache.
        if (turn > 0) done.get(who).push(ended);
      }
    }
    const { total } = truth.byAgent[agent];
    for (const [who, ended] of done) lines.push(line(agent, { who, ended, done, total }));
    rmSync(home, { recursive: true, force: true });
  }
  return [
    `The first \`usage\`, nothing kept yet, on homes of ${megabytes} MB; tokens: 1.00 is the truth.`,
    "",
    "| agent | | wall | of ccusage | CPU | peak memory | tokens |",
    "|---|---|---|---|---|---|---|",
    ...lines,
  ];
}

function line(agent, { who, ended, done, total }) {
  const { seconds, cpuSeconds, peakMegabytes } = best(ended);
  const counted = totalIn(ended[0]);
  if (who === "pollux" && counted !== total) {
    throw new Error(`usage of ${agent} says ${counted}, not ${total}.`);
  }
  const ccusage = done.get("ccusage");
  const ratio = ccusage ? `${(seconds / best(ccusage).seconds).toFixed(2)}x` : "–";
  const used = `${cpuSeconds.toFixed(2)} s | ${Math.round(peakMegabytes)} MB`;
  const share = counted === undefined ? "not given" : (counted / total).toFixed(2);
  return `| ${agent} | ${who} | ${seconds.toFixed(2)} s | ${ratio} | ${used} | ${share} |`;
}
