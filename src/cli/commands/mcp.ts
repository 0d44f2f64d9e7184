import { wrongUsage } from "../../core/error.ts";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { optional } from "../../core/optional.ts";
import { sources } from "../../sources/index.ts";
import { shortAgent } from "../print/agent.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { openLibrary } from "../open-library.ts";
import { ownArguments } from "../own-command.ts";
import { safeLine } from "../print/safe.ts";
import { changeSettings } from "../settings-answers.ts";
import { version } from "../version.ts";

/** Agent names as used on the command line. */
const WITH_SETTINGS = sources.filter(({ abilities }) => abilities.settingsEntries);
const AGENTS = WITH_SETTINGS.map(({ id }) => shortAgent(id));
const IDS = WITH_SETTINGS.map(({ id }) => id);
const [FIRST = "agent", SECOND = FIRST] = AGENTS;

export const command: Command = {
  about:
    "Runs a server on standard input and output. It is read-only, limited to the project in " +
    "which it is started unless an agent asks for others, and masks secrets. `install` shows " +
    "what to add to an agent's settings, and adds it with --write.",
  arguments: [
    { name: "[action]", about: "without it, run the server", choices: ["install", "uninstall"] },
    {
      name: "[agent]",
      about: "the agent to install it for",
      choices: [...new Set([...AGENTS, ...IDS])],
    },
  ],
  options: [
    {
      flags: "--project <folder>",
      about: "the project to answer about (default: the current folder's)",
      completes: "folder",
    },
    { flags: "--no-mask", about: "do not mask secrets" },
    { flags: "--allow-write", about: "allow agents to add tags and notes to sessions" },
    { flags: "--write", about: "write the agent's settings" },
    { flags: "-y, --yes", about: "do not ask for confirmation" },
  ],
  examples: [
    { line: `mcp install ${SECOND}`, about: "show what to add to its settings" },
    { line: `mcp install ${FIRST} --write`, about: "add it, after confirmation" },
    { line: `mcp uninstall ${FIRST} --write`, about: "remove it" },
    { line: "mcp --demo", about: "serve the demo sessions" },
  ],
  async run(context) {
    const [action, agent] = context.args;
    if (action === undefined) return serve(context);
    if (agent === undefined) throw wrongUsage(`Missing agent: give one of ${AGENTS.join(", ")}.`);
    return changeServer(context, action === "uninstall" ? "remove" : "add", agent);
  },
};

async function serve(context: Context): Promise<typeof EXIT.ok> {
  const { options, env, err } = context;
  if (process.stdin.isTTY) {
    await err.line("Waiting for an agent on standard input. Control-C stops it.");
    await err.line(`To add it to an agent: \`pollux mcp install AGENT\` (${AGENTS.join(", ")}).`);
  }
  const library = await openLibrary(options, env, { ingest: "thread" });
  const { serveMcp } = await import("../../mcp/server.ts");
  const { SecretMask } = await import("../../queries/redaction/secret-mask.ts");
  // Set unless `--no-mask` was given.
  const mask = options.has("mask") ? SecretMask.later() : undefined;
  const folder = options.has("demo") ? undefined : projectFolder(options.text("project"));
  const access = options.has("allowWrite") ? "write" : "read";
  const ahead = context.now.getTime() - Date.now();
  const now = (): Date => new Date(Date.now() + ahead);
  try {
    await serveMcp({
      context: { library, access, now, ...optional("mask", mask), ...optional("folder", folder) },
      version,
      report: (error) => void err.line(safeLine(String(error))),
    });
  } finally {
    await library.close();
  }
  return EXIT.ok;
}

/** The repository that contains the working directory, or else the directory; undefined for `/`. */
function projectFolder(asked: string | undefined): string | undefined {
  const start = realpathSync(resolve(asked ?? process.cwd()));
  for (let folder = start; ; folder = dirname(folder)) {
    if (asked === undefined && existsSync(join(folder, ".git"))) return folder;
    if (asked !== undefined || dirname(folder) === folder) break;
  }
  return dirname(start) === start ? undefined : start;
}

async function changeServer(
  context: Context,
  action: "add" | "remove",
  agent: string,
): ReturnType<typeof changeSettings> {
  const { options, env } = context;
  const library = await openLibrary(options, env, { agent });
  const [program = "pollux", ...args] = ownArguments(context);
  const value = { command: program, args: [...args, "mcp"] };
  return changeSettings(context, {
    what: "the server",
    action,
    without: "Configure any MCP client to start `pollux mcp`.",
    json: { server: value },
    ask: (mode) => library.archive.settings("mcpServer", { value, action, mode }),
  });
}
