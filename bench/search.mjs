// Measures searches inside a long-running process, like the server.
//
//   node bench/search.mjs HOME ARCHIVE [--queries 500] [--program dist/index.js]
//
// Draws queries of all kinds from the texts of the home, always the same ones, runs each once on an
// archive that holds everything, and prints percentiles of time and CPU.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Pseudo-random numbers between 0 and 1, the same every time. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Sample texts of a home, and their words from most to least frequent. */
function vocabularyOf(home) {
  const tmp = join(home, ".gemini", "tmp");
  const files = readdirSync(tmp, { recursive: true })
    .filter((name) => /session-.*\.jsonl?$/.test(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .filter((_, at) => at % 25 === 0)
    .slice(0, 60);
  const texts = files.flatMap((name) => textsIn(readFileSync(join(tmp, name), "utf8")));
  const counts = new Map();
  for (const text of texts) {
    for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const words = [...counts].toSorted((a, b) => b[1] - a[1]).map(([word]) => word);
  return { texts, words };
}

function textsIn(content) {
  const found = content.matchAll(/"(?:text|content|output|description)": ?("(?:[^"\\]|\\.)+")/g);
  return [...found].map(([, text]) => JSON.parse(text));
}

/** Queries of all kinds, alternating. */
export function queriesFor(home, count) {
  const { texts, words } = vocabularyOf(home);
  const random = numbers(7);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const common = words.slice(0, 40).filter((word) => /^[a-z]+$/i.test(word));
  const rare = words.slice(Math.floor(words.length / 2));
  const wide = words.filter((word) => /[\u3040-\u9fff]/.test(word));
  /** Consecutive words of a random text. */
  const said = (length) => {
    const list = pick(texts).match(/[\p{L}\p{N}]+/gu) ?? ["no"];
    const from = Math.floor(random() * Math.max(1, list.length - length));
    return list.slice(from, from + length).join(" ");
  };
  const filters = [
    { in: ["prompts"] },
    { in: ["tools", "thoughts"] },
    { filter: { project: "app-7" } },
    { filter: { sinceMs: Date.UTC(2026, 6, 1) } },
    { filter: { project: "app-1", untilMs: Date.UTC(2026, 5, 1) }, in: ["answers"] },
  ];
  const kinds = [
    () => ["one common word", pick(common)],
    () => ["one rare word", pick(rare)],
    () => ["several words", `${pick(common)} ${pick(common)} ${pick(rare)}`],
    () => ["a phrase of common words", `"${pick(common)} ${pick(common)}"`],
    () => ["a phrase that nobody said", `"${pick(common)} ${pick(common)} ${pick(common)} xylem"`],
    () => [
      "a long phrase of common words",
      `"${Array.from({ length: 5 }, () => pick(common)).join(" ")}"`,
    ],
    () => ["a phrase that was said", `"${said(4)}"`],
    () => ["a phrase of rare words", `"${pick(rare)} ${pick(rare)}"`],
    () => ["a prefix", `${pick(words).slice(0, 1 + Math.floor(random() * 3))}*`],
    () => ["and, or, not", `(${pick(common)} OR ${pick(rare)}) ${pick(common)} NOT ${pick(rare)}`],
    () => ["without common ones", `${pick(rare)} NOT "${pick(common)} ${pick(common)}"`],
    () => ["no spaces", pick(wide) ?? pick(rare)],
    () => ["a common word, filtered", pick(common), pick(filters)],
    () => ["a phrase, filtered", `"${said(2)}"`, pick(filters)],
  ];
  return Array.from({ length: count }, (_, at) => kinds[at % kinds.length]());
}

/** Runs all queries once; returns the times of each kind and of all. */
export async function measureSearch({ home, archive, queries, program }) {
  const { open } = await import(pathToFileURL(program).href);
  const library = open({ archive, refresh: "none" });
  // Exclude opening and loading, which a server has already done.
  await library.search("a");
  const asked = [];
  for (const [kind, text, options] of queriesFor(home, queries)) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    const { total } = await library.search(text, options);
    const cpu = process.cpuUsage(used);
    const ms = performance.now() - began;
    asked.push({ kind, text, total, ms, cpuMs: (cpu.user + cpu.system) / 1000 });
  }
  library.archive.close();
  return asked;
}

export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Runs 500 queries of all kinds in one long-running process, like the server. */
export function searchAll(program, home) {
  const library = join(dirname(program), "index.js");
  const archive = join(home, "pollux", "archive.db");
  const args = [fileURLToPath(import.meta.url), home, archive, "--json", "--program", library];
  const { stdout, status } = spawnSync(process.execPath, args, { maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error("Searching in process did not come to an end.");
  return JSON.parse(stdout.toString("utf8"));
}

export function searchLine(searches) {
  const of = (field) =>
    [0.5, 0.95, 0.99].map((share) =>
      percentile(
        searches.map((search) => search[field]),
        share,
      ).toFixed(0),
    );
  return (
    `Searching in process, ${searches.length} queries of all kinds, p50 / p95 / p99: ` +
    `${of("ms").join(" / ")} ms (CPU ${of("cpuMs").join(" / ")} ms).`
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      queries: { type: "string", default: "500" },
      json: { type: "boolean", default: false },
      program: { type: "string", default: join(root, "dist", "index.js") },
    },
  });
  const [home, archive] = positionals;
  const queries = Number(values.queries);
  const asked = await measureSearch({ home, archive, queries, program: values.program });
  if (values.json) {
    console.log(JSON.stringify(asked));
    process.exit(0);
  }
  const line = (name, list) => {
    const of = (field) =>
      [0.5, 0.95, 0.99, 1].map((share) =>
        percentile(
          list.map((search) => search[field]),
          share,
        ).toFixed(1),
      );
    console.log(`${name.padEnd(32)} ${of("ms").join(" / ")} ms, CPU ${of("cpuMs").join(" / ")} ms`);
  };
  for (const kind of new Set(asked.map((search) => search.kind))) {
    line(
      kind,
      asked.filter((search) => search.kind === kind),
    );
  }
  line("all (p50 / p95 / p99 / most)", asked);
}
