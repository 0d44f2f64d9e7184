// The first `usage`, while nothing is kept, on homes of several agents beside ccusage.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeHomeUntil } from "./make-home.mjs";
import { best, run } from "./measure.mjs";

/** Agents that ccusage knows, too, and how it is asked about each. */
const ASKED = { "claude-code": [], codex: ["codex"], "gemini-cli": ["gemini"] };

/** A home of each agent in turn; whoever counts wrong is not timed. */
export async function measureColdUsage(program, { folder, megabytes, ccusage, runs, environment }) {
  const rows = [];
  for (const [agent, words] of Object.entries(ASKED)) {
    const home = join(folder, `cold-${agent}`);
    mkdirSync(home);
    makeHomeUntil(home, {
      seed: 7,
      agents: [agent],
      isEnough: ({ bytes }) => bytes >= megabytes * 1e6,
    });
    const truth = JSON.parse(readFileSync(join(home, "truth.json"), "utf8"));
    const peer = ccusage && [ccusage, ...words, "monthly", "--json", "--offline"];
    const pollux = [process.execPath, program, "usage", "--by", "month", "--json"];
    const [own, theirs] = [[], []];
    for (let turn = 0; turn <= runs; turn += 1) {
      // The first turn warms the system's cache of files, and shows whether the sums are right.
      const ended = await run(pollux, environment(home), home);
      if (turn === 0) checkTotal(agent, ended, truth.byAgent[agent].total);
      else own.push(ended);
      if (peer && turn > 0) theirs.push(await run(peer, environment(home), home));
    }
    rows.push({ agent, megabytes: truth.bytes / 1e6, own: best(own), peer: peer && best(theirs) });
    rmSync(home, { recursive: true, force: true });
  }
  return coldTable(rows);
}

function checkTotal(agent, { code, text }, expected) {
  const told = code === 0 ? JSON.parse(text).totals.tokens.total : code;
  if (told !== expected) throw new Error(`usage of ${agent} says ${told}, not ${expected}.`);
}

function coldTable(rows) {
  const lines = rows.map(({ agent, megabytes, own, peer }) => {
    const ratio = peer ? `${(own.seconds / peer.seconds).toFixed(2)}x` : "–";
    const [theirs, cpu] = peer
      ? [`${peer.seconds.toFixed(2)} s`, `${peer.cpuSeconds.toFixed(2)} s`]
      : ["–", "–"];
    const used = `${own.cpuSeconds.toFixed(2)} s | ${Math.round(own.peakMegabytes)} MB`;
    return `| ${agent}, ${Math.round(megabytes)} MB | ${theirs} | ${cpu} | ${own.seconds.toFixed(2)} s | ${ratio} | ${used} |`;
  });
  return [
    "The first `usage`, nothing kept yet:",
    "",
    "| | ccusage | its CPU | pollux | of ccusage | CPU | peak memory |",
    "|---|---|---|---|---|---|---|",
    ...lines,
  ];
}
