// How each agent is started on handed-over sessions: a scenario for its tool that looks at the list
// of sessions, then resumes each of them, in print mode and on a screen. The scripted API answers
// with a new tool call, and with text when its result has arrived.

/** Output of the tool that is called after a resume. */
export const MARKER = "ledger-is-fine";

const CHECK = `
const checked = (b) => JSON.stringify((b.messages ?? b.contents ?? b.input ?? []).slice(-4)).includes("${MARKER}");
const handoverScreen = async (c, t, isAlone) => {
  const shown = isAlone ? /Resume|resume/ : /From (Gemini|Claude|Codex|Qwen)/;
  try { await t.waitFor(shown, 60000, "the list"); } catch { /* Judged by what is there. */ }
  await c.sleep(3000);
  return t.screen();
};
const handoverReset = async (c, folder, parts, seed) => {
  const { execFileSync } = await import("node:child_process");
  for (const part of parts) execFileSync("bash", ["-c", \`mkdir -p \${folder} && rm -rf \${folder}/\${part} && cp -a \${seed}/\${part} \${folder}/ 2>/dev/null; true\`]);
  c.chownAll();
};
// A screen cannot be opened while the last one is still closing: once more, then it counts.
const twice = async (c, look) => {
  try { return await look(); } catch { await c.sleep(2000); return await look(); }
};
const handoverRun = async (c, { folder, parts, list: look, ...ways }) => {
  const reset = (seed) => handoverReset(c, folder, parts, seed);
  const list = (isAlone) => twice(c, () => look(isAlone));
  // Its own sessions alone, then beside those that were handed over.
  await reset(process.env.HANDOVER_OWN); c.truth.before = await list(true);
  await reset(process.env.HANDOVER_SEED); c.truth.list = await list(false);
  c.truth.handover = [];
  for (const { id, words } of JSON.parse(process.env.HANDOVER_CASES)) {
    const failures = { id };
    for (const [how, said] of Object.entries(words)) {
      // A busy machine may be too slow for a screen: once more, then it counts.
      for (let times = 0; times < 2; times += 1) {
        delete failures[how];
        // Also while the last one is still ending, and takes its files away.
        try { await reset(process.env.HANDOVER_SEED); await ways[how](id, said); break; } catch (error) { failures[how] = String(error.message); }
      }
    }
    c.truth.handover.push(failures);
  }
};
`;

/** As in `docs/guide/handover.md`: the input for `codex app-server`. */
export const CODEX_LIST = [
  `echo '{"id":1,"method":"initialize","params":{"clientInfo":{"name":"shell","version":"1"}}}'`,
  `echo '{"method":"initialized"}'`,
  `echo '{"id":2,"method":"thread/list","params":{}}'`,
  "sleep 5",
].join("; ");

/** Number of scripted answers: two for each resume, and some spare. */
const ANSWERS = 120;

export const TARGETS = [
  {
    agent: "gemini-cli",
    dialect: "gemini",
    versions: ["0.61.0"],
    scenario: `${CHECK}
Object.assign(scenarios, { handover: {
  description: "The list of sessions, then each is resumed.",
  script: () => ({ main: Array.from({ length: ${ANSWERS} }, () => (b) => checked(b) ? { text: "Checked." } : { calls: [shellCall(b, "echo ${MARKER}")] }) }),
  async run(c) {
    await handoverRun(c, {
      folder: "/home/ada/.gemini",
      parts: ["tmp", "projects.json"],
      list: async () => (await c.cli(["--list-sessions"])).out,
      print: (id, words) => ask(c, words, ["--resume", id, ...M(c)]),
      screen: async (id, words) => {
        const t = await c.tui([...yolo, ...M(c), "--resume", id]);
        try { await t.ready(); await t.ask(words, { mains: 2 }); } finally { t.end(); }
      },
    });
  },
} });
`,
  },
  {
    agent: "claude-code",
    dialect: "anthropic",
    versions: ["2.1.325", "2.0.77"],
    scenario: `${CHECK}
scenarios.handover = {
  description: "The list of sessions, then each is resumed.",
  script: () => ({ main: Array.from({ length: ${ANSWERS} }, () => (b) => checked(b) ? { text: "Checked." } : { calls: [bash(b, "echo ${MARKER}")] }) }),
  async run(c) {
    await handoverRun(c, {
      folder: "/home/ada/.claude",
      parts: ["projects"],
      list: async (isAlone) => {
        const t = await c.tui(["--resume", ...SKIP]);
        try { return await handoverScreen(c, t, isAlone); } finally { t.end(); }
      },
      print: (id, words) => ask(c, words, ["--resume", id]),
      screen: async (id, words) => {
        const s = await c.tui(["--resume", id, ...SKIP]);
        try { await s.ready(); await s.ask(words, { mains: 2 }); } finally { s.end(); }
      },
    });
  },
};
`,
  },
  {
    agent: "codex",
    dialect: "responses",
    versions: ["0.166.0", "0.130.0"],
    scenario: `${CHECK}
scenarios.handover = {
  description: "The list of sessions, then each is resumed.",
  script: () => ({ main: Array.from({ length: ${ANSWERS} }, (_, n) => n % 2 === 0 ? { calls: [{ sh: "echo ${MARKER}" }] } : { text: "Checked." }) }),
  async run(c) {
    await handoverRun(c, {
      folder: "/home/ada/.codex",
      parts: ["sessions", "session_index.jsonl"],
      list: async (isAlone) => {
        // Its picker goes by a database of its own; this has it look at its files, as editors do.
        const { execFileSync } = await import("node:child_process");
        const asked = \`(${CODEX_LIST}) | node \${c.bin} app-server\`;
        execFileSync("bash", ["-c", asked], { cwd: c.cwd, env: c.env, uid: c.UID, gid: c.UID, stdio: "ignore" });
        const t = await c.tui([], { sub: ["resume"] });
        try { return await handoverScreen(c, t, isAlone); } finally { await t.kill(); t.end(); }
      },
      print: (id, words) => c.exec(words, { sub: ["resume", id], timeoutMs: 60000 }),
      screen: async (id, words) => {
        const s = await c.tui([], { sub: ["resume", id] });
        try { await s.ready(); await s.ask(words, { mains: 2 }); } finally { await s.kill(); s.end(); }
      },
    });
  },
};
`,
  },
  {
    agent: "qwen-code",
    dialect: "chat",
    versions: ["0.24.4"],
    scenario: `${CHECK}
scenarios.handover = {
  description: "The list of sessions, then each is resumed.",
  env: { OPENAI_MODEL: "qwen3-vl-plus" },
  script: () => ({ main: Array.from({ length: ${ANSWERS} }, () => (b) => checked(b) ? { text: "Checked." } : { calls: [SH("echo ${MARKER}")] }) }),
  async run(c) {
    await handoverRun(c, {
      folder: "/home/ada/.qwen",
      parts: ["projects"],
      list: async (isAlone) => {
        const t = await c.tui(["--resume"]);
        try { return await handoverScreen(c, t, isAlone); } finally { t.end(); }
      },
      print: (id, words) => c.cli([...Y, "--resume", id, "-p", words]),
      screen: async (id, words) => {
        const s = await c.tui([...Y, "--resume", id]);
        try { await s.ready(); await s.ask(words, { mains: 2 }); } finally { s.end(); }
      },
    });
  },
};
`,
  },
];
