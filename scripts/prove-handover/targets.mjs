// How each agent is started on handed-over sessions: a scenario for the tool of each, which looks
// at its list of sessions, then resumes each of them, in print mode and on a screen. The scripted
// API answers with a new call of a tool, and with words when its result has come.

/** Said by the tool that is called after a resume. */
export const MARKER = "ledger-is-fine";

const CHECK = `
const checked = (b) => JSON.stringify((b.messages ?? b.contents ?? b.input ?? []).slice(-4)).includes("${MARKER}");
const handoverCases = () => JSON.parse(process.env.HANDOVER_CASES);
const handoverList = async (c, t) => {
  try { await t.waitFor(/From (Gemini|Claude|Codex|Qwen)/, 60000, "the list"); } catch { /* Judged by what is there. */ }
  await c.sleep(3000);
  return t.screen();
};
const handoverReset = async (folder, parts) => {
  const { execFileSync } = await import("node:child_process");
  for (const part of parts) execFileSync("bash", ["-c", \`mkdir -p \${folder} && rm -rf \${folder}/\${part} && cp -a \${process.env.HANDOVER_SEED}/\${part} \${folder}/ 2>/dev/null; true\`]);
};
const handoverEach = async (c, { reset, print, screen }) => {
  c.truth.handover = [];
  for (const { id, words } of handoverCases()) {
    const told = { id };
    for (const [how, resume] of Object.entries({ print, screen })) {
      // A busy machine may be too slow for a screen: once more, then it counts.
      for (let times = 0; times < 2; times += 1) {
        delete told[how];
        // Also while the last one is still ending, and takes its files away.
        try { await reset(); c.chownAll(); await resume(id, words[how]); break; } catch (error) { told[how] = String(error.message); }
      }
    }
    c.truth.handover.push(told);
  }
};
`;

/** How many answers are at hand: two for each resume, and some to spare. */
const ANSWERS = 120;

export const TARGETS = [
  {
    agent: "gemini-cli",
    dialect: "gemini",
    versions: ["0.61.0"],
    sessions: ["tmp", "projects.json"],
    scenario: `${CHECK}
Object.assign(scenarios, { handover: {
  description: "The list of sessions, then each is resumed.",
  script: () => ({ main: Array.from({ length: ${ANSWERS} }, () => (b) => checked(b) ? { text: "Checked." } : { calls: [shellCall(b, "echo ${MARKER}")] }) }),
  async run(c) {
    const reset = () => handoverReset("/home/ada/.gemini", ["tmp", "projects.json"]);
    await reset(); c.chownAll();
    c.truth.list = (await c.cli(["--list-sessions"])).out;
    await handoverEach(c, {
      reset,
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
    sessions: ["projects"],
    scenario: `${CHECK}
scenarios.handover = {
  description: "The list of sessions, then each is resumed.",
  script: () => ({ main: Array.from({ length: ${ANSWERS} }, () => (b) => checked(b) ? { text: "Checked." } : { calls: [bash(b, "echo ${MARKER}")] }) }),
  async run(c) {
    const reset = () => handoverReset("/home/ada/.claude", ["projects"]);
    await reset(); c.chownAll();
    const t = await c.tui(["--resume", ...SKIP]);
    c.truth.list = await handoverList(c, t); t.end();
    await handoverEach(c, {
      reset,
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
    sessions: ["sessions", "session_index.jsonl"],
    scenario: `${CHECK}
scenarios.handover = {
  description: "The list of sessions, then each is resumed.",
  script: () => ({ main: Array.from({ length: ${ANSWERS} }, (_, n) => n % 2 === 0 ? { calls: [{ sh: "echo ${MARKER}" }] } : { text: "Checked." }) }),
  async run(c) {
    const reset = () => handoverReset("/home/ada/.codex", ["sessions", "session_index.jsonl"]);
    await reset(); c.chownAll();
    const t = await c.tui([], { sub: ["resume"] });
    c.truth.list = await handoverList(c, t); await t.kill(); t.end();
    await handoverEach(c, {
      reset,
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
    sessions: ["projects"],
    scenario: `${CHECK}
scenarios.handover = {
  description: "The list of sessions, then each is resumed.",
  env: { OPENAI_MODEL: "qwen3-vl-plus" },
  script: () => ({ main: Array.from({ length: ${ANSWERS} }, () => (b) => checked(b) ? { text: "Checked." } : { calls: [SH("echo ${MARKER}")] }) }),
  async run(c) {
    const reset = () => handoverReset("/home/ada/.qwen", ["projects"]);
    await reset(); c.chownAll();
    const t = await c.tui(["--resume"]);
    c.truth.list = await handoverList(c, t); t.end();
    await handoverEach(c, {
      reset,
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
