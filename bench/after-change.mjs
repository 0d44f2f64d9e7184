// Measures queries after a session has grown, as during daily work.
import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { best, run } from "./measure.mjs";

const QUESTIONS = [
  ["overview"],
  ["usage", "--by", "project"],
  ["usage", "--by", "month"],
  ["tools"],
  ["doctor"],
  ["sessions"],
  ["show", "latest"],
];
/** A file that was just written may change again within the precision of its timestamp. */
const SETTLE_MS = 50;

/** The best of several runs of each query; a session grows before each run. */
export async function measureAfterChange(program, home, { environment, runs }) {
  const measured = new Map();
  for (const question of QUESTIONS) {
    const done = [];
    for (let turn = 0; turn < runs; turn += 1) {
      growSession(home);
      await wait(SETTLE_MS);
      const command = [process.execPath, program, ...question, "--json"];
      const once = await run(command, environment, home);
      if (once.code !== 0) throw new Error(`${question.join(" ")} ended with ${once.code}.`);
      done.push(once);
    }
    measured.set(question.join(" "), best(done));
  }
  return measured;
}

/** Appends a line that adds no usage. */
function growSession(home) {
  const tmp = join(home, ".gemini", "tmp");
  const chats = readdirSync(tmp).map((name) => join(tmp, name, "chats"));
  const files = chats.filter(existsSync).flatMap((at) => readdirSync(at).map((f) => join(at, f)));
  const file = files.find((name) => name.endsWith(".jsonl"));
  if (file) appendFileSync(file, '{"$set":{"lastUpdated":"2026-12-01T00:00:00.000Z"}}\n');
}

/** Both homes side by side, and by how much each query slowed with the size. */
export function afterChangeTable(small, large, ccusageSeconds) {
  const rows = [...large.measured].map(([question, now]) => {
    const before = small.measured.get(question);
    const ratio = ccusageSeconds ? `${(now.seconds / ccusageSeconds).toFixed(2)}x` : "–";
    return [
      `| ${question} | ${before.seconds.toFixed(2)} s | ${now.seconds.toFixed(2)} s`,
      `${(now.seconds / before.seconds).toFixed(1)}x | ${ratio} | ${now.cpuSeconds.toFixed(2)} s`,
      `${Math.round(now.peakMegabytes)} MB |`,
    ].join(" | ");
  });
  return [
    `After a session has grown, with ${small.sessions} and with ${large.sessions} sessions kept:`,
    "",
    `| | ${small.sessions} | ${large.sessions} | growth | of ccusage | CPU | peak memory |`,
    "|---|---|---|---|---|---|---|",
    ...rows,
  ];
}
