// Proves with the real agents that they start `pollux mcp` from their settings, call its tools, and
// pass the results to their model.
//
//   node scripts/prove-mcp.mjs --programs FOLDER [--only AGENT] [--extension VERSION] [--record]
//
// FOLDER holds installed versions as NAME-VERSION/node_modules (`gemini-cli-0.61.0`, …). Everything
// runs in a temporary home against APIs on loopback. --extension lets that version of Gemini CLI
// install the extension from the checkout, and types its commands. --record writes the results for
// the tests.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chat, claude, gemini, openai, startApi } from "./prove-mcp/scripted-api.mjs";

const project = join(import.meta.dirname, "..");
const { values: options } = parseArgs({
  options: {
    programs: { type: "string" },
    only: { type: "string", default: "" },
    record: { type: "boolean", default: false },
    extension: { type: "string" },
  },
});
if (options.programs === undefined) {
  console.error("Name the folder of installed programs with --programs.");
  process.exit(2);
}
const PROMPT = "What was done here before?";
const LIMIT_MS = 120_000;

/** How to set each agent's API address and run it once without a terminal. */
const AGENTS = [
  {
    name: "gemini",
    program: "gemini-cli",
    bin: "gemini",
    dialect: gemini,
    home: ".gemini",
    settings: () => ["settings.json", '{"security":{"auth":{"selectedType":"gemini-api-key"}}}'],
    env: (url) => ({
      GEMINI_API_KEY: "not-a-key",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
      NO_BROWSER: "1",
    }),
    args: ["--approval-mode", "yolo", "-p", PROMPT],
  },
  {
    name: "claude",
    program: "claude-code",
    // The binary itself: an installation without scripts has no launcher.
    bin: "../@anthropic-ai/claude-code-linux-x64/claude",
    dialect: claude,
    home: ".claude",
    settings: () => ["settings.json", "{}"],
    env: (url) => ({
      ANTHROPIC_API_KEY: "sk-ant-not-a-key",
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      ENABLE_TOOL_SEARCH: "false",
    }),
    args: ["-p", PROMPT, "--allowedTools", "mcp__pollux__search,mcp__pollux__read"],
  },
  {
    name: "codex",
    program: "codex",
    bin: "codex",
    dialect: openai,
    home: ".codex",
    settings: (url) => [
      "config.toml",
      `model = "gpt-5"\nmodel_provider = "local"\napproval_policy = "never"\n` +
        `sandbox_mode = "danger-full-access"\n[model_providers.local]\nname = "Local"\n` +
        `base_url = "${url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`,
    ],
    env: () => ({ OPENAI_API_KEY: "sk-not-a-key" }),
    args: ["exec", "--skip-git-repo-check", PROMPT],
  },
  {
    name: "qwen",
    program: "qwen-code",
    bin: "qwen",
    dialect: chat,
    home: ".qwen",
    settings: () => ["settings.json", '{"security":{"auth":{"selectedType":"openai"}}}'],
    env: (url) => ({
      OPENAI_API_KEY: "not-a-key",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: "qwen3-coder-plus",
      QWEN_CODE_NO_RELAUNCH: "true",
      NO_BROWSER: "1",
    }),
    args: ["--approval-mode", "yolo", "-p", PROMPT],
  },
];

const proofs = [];
let failures = 0;
for (const agent of AGENTS.filter(({ name }) => name.includes(options.only))) {
  for (const version of versionsOf(agent)) {
    let { calls, output } = await prove(agent, version);
    // An agent may send a request before its servers have started; then nothing was called: retry.
    if (calls.length === 0) ({ calls, output } = await prove(agent, version));
    const isProved =
      calls.length === 2 && calls.every(({ result }) => result?.includes("wrote summary"));
    if (!isProved) failures += 1;
    console.log(
      `${agent.program} ${version}: ${isProved ? "proved" : `failed\n${JSON.stringify(calls)}\n${output}`}`,
    );
    proofs.push({ agent: agent.program, version, calls });
  }
}
const file = join(project, "test/fixtures/mcp/proofs.json");
if (options.record && proofs.length > 0) {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `${JSON.stringify(proofs, null, 2)}\n`);
}
if (options.extension !== undefined) {
  const agent = AGENTS.find(({ name }) => name === "gemini");
  const proof = await proveExtension(agent, options.extension);
  const isProved = proof.isInstalled && proof.commands.every(({ prompt }) => prompt !== null);
  if (!isProved) failures += 1;
  console.log(`the extension: ${isProved ? "proved" : `failed\n${JSON.stringify(proof)}`}`);
  const recorded = join(project, "test/fixtures/mcp/extension.json");
  if (options.record) writeFileSync(recorded, `${JSON.stringify(proof, null, 2)}\n`);
}
const isNothing = proofs.length === 0 && options.extension === undefined;
process.exitCode = failures > 0 || isNothing ? 1 : 0;

function versionsOf({ program }) {
  const start = `${program}-`;
  return readdirSync(options.programs)
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length));
}

async function prove(agent, version) {
  const home = mkdtempSync(join(tmpdir(), "pollux-prove-mcp-"));
  const work = join(home, "projects", "ledger");
  mkdirSync(work, { recursive: true });
  mkdirSync(join(home, agent.home), { recursive: true });
  // A session of one agent that all of them can find.
  const tree = join(project, "test/fixtures/corpora/claude-code/2.1.325/tools");
  cpSync(join(tree, ".claude"), join(home, ".claude"), { recursive: true });
  const api = await startApi(agent.dialect);
  const [name, text] = agent.settings(api.url);
  writeFileSync(join(home, agent.home, name), text);
  const env = {
    HOME: home,
    PATH: process.env.PATH,
    POLLUX_HOME: join(home, "pollux"),
    ...agent.env(api.url),
  };
  const pollux = [
    join(project, "dist/pollux.js"),
    "mcp",
    "install",
    agent.name,
    "--write",
    "--yes",
  ];
  const install = spawnSync(process.execPath, pollux, { env, encoding: "utf8" });
  if (install.status !== 0) throw new Error(install.stderr);
  const bin = join(resolve(options.programs), `${agent.program}-${version}/node_modules/.bin`);
  const output = await run(join(bin, agent.bin), agent.args, { cwd: work, env });
  api.stop();
  rmSync(home, { recursive: true, force: true });
  return { calls: api.calls, output };
}

/** Installs the extension as a user would, and types each of its commands. */
async function proveExtension(agent, version) {
  const home = mkdtempSync(join(tmpdir(), "pollux-prove-extension-"));
  const work = join(home, "projects", "ledger");
  for (const folder of [work, join(home, "bin"), join(home, agent.home)]) {
    mkdirSync(folder, { recursive: true });
  }
  const tree = join(project, "test/fixtures/corpora/claude-code/2.1.325/tools");
  cpSync(join(tree, ".claude"), join(home, ".claude"), { recursive: true });
  const pollux = `#!/bin/sh\nexec "${process.execPath}" "${join(project, "dist/pollux.js")}" "$@"\n`;
  writeFileSync(join(home, "bin", "pollux"), pollux, { mode: 0o755 });
  const api = await startApi(agent.dialect);
  const [name, text] = agent.settings(api.url);
  writeFileSync(join(home, agent.home, name), text);
  const env = {
    HOME: home,
    PATH: `${join(home, "bin")}:${process.env.PATH}`,
    ...agent.env(api.url),
  };
  const bin = join(resolve(options.programs), `${agent.program}-${version}/node_modules/.bin`);
  const program = (...args) => run(join(bin, agent.bin), args, { cwd: work, env });
  const from = join(project, "extensions/gemini-cli");
  const said = await program("extensions", "install", from, "--consent");
  const listed = await program("extensions", "list");
  const commands = [];
  for (const line of [
    "/pollux:search wrote summary",
    "/pollux:usage this week",
    "/pollux:resume",
  ]) {
    const before = api.asked.length;
    await program("--approval-mode", "yolo", "-p", line);
    const asked = api.asked.slice(before).flatMap(({ contents = [] }) => contents);
    const words = asked.flatMap(({ role, parts = [] }) => (role === "user" ? parts : []));
    const prompt = words.map((part) => part.text ?? "").find((part) => part.includes("`pollux`"));
    commands.push({ line, prompt: prompt?.trim() ?? null });
  }
  api.stop();
  rmSync(home, { recursive: true, force: true });
  const isInstalled = /installed successfully/.test(said) && /MCP servers:\s+pollux/.test(listed);
  return { agent: agent.program, version, isInstalled, commands, calls: api.calls };
}

function run(program, args, { cwd, env }) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => (output += data));
    child.on("close", () => {
      clearTimeout(timer);
      done(output);
    });
  });
}
