// Measures a store by itself, with rows of invented sessions. FILE is an archive, or the URL of a
// PostgreSQL server (postgres://…), whose own CPU time is not measured:
//
//     node bench/store.mjs fill FILE [SESSIONS]    makes an archive of rows only
//     node bench/store.mjs ask FILE                every query once, each in its own process
//     node bench/store.mjs question FILE NAME      one query, with its time and memory
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const [, self, task, path, more] = process.argv;
const ROOT = "/home/ada/.agent";
const DAY = 86_400_000;
const isPostgres = /^postgres(ql)?:/.test(path ?? "");
const FIRST = Date.UTC(2026, 0, 1);

/** Bundles the store into one file that Node can load without a full build. */
async function bundle() {
  // Beside the packages, because the driver is loaded from there.
  const folder = mkdtempSync(
    fileURLToPath(new URL("../node_modules/.store-bench-", import.meta.url)),
  );
  const file = join(folder, "store.mjs");
  const engine = isPostgres ? "postgres" : "sqlite";
  const input = fileURLToPath(new URL(`../src/store/${engine}/store.ts`, import.meta.url));
  const external = ["@photostructure/sqlite"];
  const built = await rolldown({ input, external, platform: "node", logLevel: "silent" });
  await built.write({ file, format: "esm" });
  await built.close();
  return { file, done: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Pseudo-random numbers, the same every time. */
let state = 7;
function roll(limit) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 4_294_967_296) * limit);
}

const MODELS = ["gemini-2.5-pro", "gemini-2.5-flash", "claude-sonnet-4-5", "gpt-5.2-codex"];
const TOOLS = ["read_file", "run_shell_command", "replace", "write_file", "glob", "search", "web"];
const hex = (length) => Array.from({ length }, () => "0123456789abcdef"[roll(16)]).join("");
const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;

function rowsOf(number) {
  const id = uuid();
  const projectNumber = roll(24);
  let at = FIRST + roll(300) * DAY + roll(DAY);
  const startedAt = new Date(at).toISOString();
  const model = MODELS[roll(MODELS.length)];
  const file = `${ROOT}/tmp/app-${projectNumber}/chats/session-${startedAt.slice(0, 16)}-${id}.jsonl`;
  const usage = [];
  const tools = [];
  for (let reply = Math.max(1, Math.floor(Math.exp(roll(1000) / 210))); reply > 0; reply -= 1) {
    at += 500 + roll(40_000);
    const messageId = uuid();
    const [input, output, thoughts] = [6000 + roll(254_000), 10 + roll(2500), roll(3000)];
    const place = { file, line: roll(900), start: roll(1e6), end: roll(1e6) };
    usage.push({
      dedupKey: `agent:${id}:${messageId}`,
      replyId: messageId,
      messageId,
      sessionId: id,
      at: new Date(at).toISOString(),
      model,
      standing: roll(50) === 0 ? "rewound" : "live",
      place,
      input,
      fresh: input - 1000,
      cached: 1000,
      cacheWrite5m: null,
      cacheWrite1h: null,
      output,
      thoughts,
      tool: 0,
      total: input + output + thoughts,
      webSearches: null,
      remainder: 0,
    });
    for (let call = roll(3); call > 0; call -= 1) {
      const name = TOOLS[roll(TOOLS.length)];
      const names = { name, label: name, canonical: name, category: "Other" };
      tools.push({
        messageId,
        callId: `${name}-${at}-${hex(13)}`,
        ...names,
        outcome: roll(12) === 0 ? "error" : "success",
        at: new Date(at + roll(5000)).toISOString(),
        durationMs: roll(5000),
        ...(name === "run_shell_command"
          ? { commands: ["npm", "tail", "git"].slice(roll(3)) }
          : {}),
        files:
          name.includes("file") || name === "replace"
            ? [{ path: `src/${hex(2)}.ts`, how: "edited", addedLines: roll(40) }]
            : [],
      });
    }
  }
  const project = { name: `app-${projectNumber}`, path: `/home/ada/projects/app-${projectNumber}` };
  const sum = (field) => usage.reduce((total, fact) => total + (fact[field] ?? 0), 0);
  const ref = { path: file, format: "lines", part: "whole", sizeBytes: 350_000 };
  return {
    summary: {
      id,
      source: "agent",
      project: { ...project, hash: null, knownBy: "recorded" },
      kind: roll(10) === 0 ? "subagent" : "main",
      parentId: null,
      parentCallId: null,
      title: `Session ${number} about ${hex(30)}`,
      startedAt,
      updatedAt: new Date(at).toISOString(),
      status: "success",
      prompts: 3,
      messages: { live: usage.length * 2, rewound: 0, rewritten: 0 },
      toolCalls: { total: tools.length, success: tools.length, error: 0, cancelled: 0 },
      models: [model],
      tokens: {
        input: sum("input"),
        cached: sum("cached"),
        cacheWrite: null,
        output: sum("output"),
        thoughts: sum("thoughts"),
        tool: 0,
        total: sum("total"),
      },
      isAtLeast: false,
      compressions: 0,
      isImport: false,
      files: [ref],
      goneSince: null,
    },
    session: {
      id,
      source: "agent",
      ledgerName: "agent",
      kind: "main",
      project: { ...project, knownBy: "recorded" },
      startedAt,
      updatedAt: new Date(at).toISOString(),
      directories: [project.path],
      compressions: [],
      isImport: false,
      files: [
        { ...ref, root: ROOT, role: "main", generation: "0.30", modifiedMs: at, isCleaned: true },
      ],
    },
    usage,
    tools,
    agentCalls: [],
  };
}

const nothing = { nowMs: 1, files: [], readings: [], sessions: [], dropped: [] };

async function fill(store, sessions) {
  await store.addRoot({ source: "agent", path: ROOT, how: "usual" }, 1);
  const began = performance.now();
  let [replies, calls] = [0, 0];
  for (let from = 0; from < sessions; from += 50) {
    const rows = Array.from({ length: Math.min(50, sessions - from) }, (_, at) =>
      rowsOf(from + at),
    );
    for (const { usage, tools } of rows)
      [replies, calls] = [replies + usage.length, calls + tools.length];
    await store.commit({ ...nothing, sessions: rows });
  }
  await store.care.settle();
  const { sizeBytes } = isPostgres ? await store.care.stats() : { sizeBytes: statSync(path).size };
  const size = sizeBytes / 1e6;
  console.log(
    `${sessions} sessions, ${replies} replies, ${calls} calls: ${size.toFixed(1)} MB of rows, ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
}

const own = { scope: "own", filter: {} };
const usage = { ...own, priceDates: [], thresholds: [200_000], subagents: "separate" };
const days = (count) =>
  Array.from({ length: count }, (_, day) => ({
    from: FIRST + day * DAY,
    to: FIRST + (day + 1) * DAY,
  }));

const QUESTIONS = {
  "usage by project": (store) => store.usage({ ...usage, by: ["project"] }),
  "usage by day": (store) => store.usage({ ...usage, by: ["range"], ranges: days(320) }),
  "usage by day and model": (store) =>
    store.usage({ ...usage, by: ["range", "model"], ranges: days(320) }),
  "usage by session": (store) => store.usage({ ...usage, by: ["session"], subagents: "rolled-up" }),
  "usage by tool": (store) => store.usage({ ...usage, by: ["tool"] }),
  "usage, border 150,000": (store) =>
    store.usage({ ...usage, by: ["project"], thresholds: [150_000] }),
  "usage by day, border 150,000": (store) =>
    store.usage({ ...usage, by: ["range"], ranges: days(320), thresholds: [150_000] }),
  "usage since 7 days": (store) =>
    store.usage({ ...usage, by: ["project"], filter: { sinceMs: FIRST + 290 * DAY } }),
  tools: (store) => store.tools({ ...own, files: 20 }),
  "tools of 30 days": (store) =>
    store.tools({ scope: "own", filter: { sinceMs: FIRST + 270 * DAY }, files: 20 }),
  coverage: (store) => store.coverage({ scope: "own" }),
  times: (store) => store.times(own),
  "sessions, 50": (store) => store.sessions({ ...own, sort: "newest", limit: 50 }),
  "sessions, all": (store) => store.sessions({ ...own, sort: "newest" }),
  chains: (store) => store.chains("own"),
  "replies of a session": (store) => store.replies({ ...own, filter: { session: "a" } }),
  overview: async (store) => {
    const ranges = [...days(300).slice(-30), { from: FIRST, to: FIRST + 400 * DAY }];
    await store.usage({ ...usage, by: ["range"], ranges });
    await store.usage({ ...usage, by: ["project"], filter: { sinceMs: FIRST + 270 * DAY } });
    await store.usage({ ...usage, by: ["model"], filter: { sinceMs: FIRST + 270 * DAY } });
    await store.usage({ ...usage, by: ["standing"] });
    await store.tools({ scope: "own", filter: { sinceMs: FIRST + 270 * DAY }, files: 0 });
    await store.coverage({ scope: "own" });
  },
  "one session grown": async (store) => {
    const { items } = await store.sessions({ ...own, sort: "newest", limit: 1 });
    const rows = rowsOf(1);
    const id = items[0].summary.id;
    await store.commit({
      ...nothing,
      sessions: [{ ...rows, summary: { ...rows.summary, id }, session: { ...rows.session, id } }],
    });
  },
};

if (task === "ask") {
  for (const name of Object.keys(QUESTIONS)) {
    spawnSync(process.execPath, [self, "question", path, name], { stdio: "inherit" });
  }
} else {
  const { file, done } = await bundle();
  const stores = await import(pathToFileURL(file).href);
  const began = performance.now();
  const open = isPostgres ? stores.openPostgresStore : stores.openSqliteStore;
  const store = await open(path, { reader: 1 });
  if (task === "fill") await fill(store, Number(more ?? 8000));
  else {
    const opened = performance.now();
    const before = process.memoryUsage().rss;
    const used = process.cpuUsage();
    await QUESTIONS[more](store);
    const asked = performance.now();
    const memory = (process.memoryUsage().rss - before) / 1e6;
    const { user, system } = process.cpuUsage(used);
    const cpu = ((user + system) / 1000).toFixed(0).padStart(5);
    console.log(
      `${more.padEnd(29)} open ${(opened - began).toFixed(0).padStart(4)} ms, answer ${(asked - opened).toFixed(0).padStart(5)} ms, ${cpu} ms of processor, ${memory.toFixed(0).padStart(4)} MB more`,
    );
  }
  await store.close();
  done();
}
