import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { optional } from "../../core/optional.ts";
import { sources } from "../../sources/index.ts";
import { shortAgent } from "../print/agent.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { openLibrary } from "../open-library.ts";
import { wrongUsage } from "../options/options.ts";
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
    "A server of the Model Context Protocol over standard input and output, so that agents can " +
    "search and read what was done before. It reads only, answers about the project that it is " +
    "started in unless asked for others, and masks secrets. `install` shows what belongs into " +
    "the settings of an agent, and writes it with --write.",
  arguments: [
    { name: "[action]", about: "nothing: serve", choices: ["install", "uninstall"] },
    { name: "[agent]", about: "whose settings", choices: [...new Set([...AGENTS, ...IDS])] },
  ],
  options: [
    { flags: "--project <folder>", about: "the project it answers about", completes: "folder" },
    { flags: "--no-mask", about: "give secrets as they are" },
    { flags: "--allow-write", about: "let agents put tags and notes on sessions" },
    { flags: "--write", about: "change the settings" },
    { flags: "-y, --yes", about: "do not ask" },
  ],
  examples: [
    { line: `mcp install ${SECOND}`, about: "show what belongs into its settings" },
    { line: `mcp install ${FIRST} --write`, about: "add it, after a question" },
    { line: `mcp uninstall ${FIRST} --write`, about: "take it away again" },
    { line: "mcp --demo", about: "serve the sessions that come along" },
  ],
  async run(context) {
    const [action, agent] = context.args;
    if (action === undefined) return serve(context);
    if (agent === undefined) throw wrongUsage(`Which agent: ${AGENTS.join(", ")}?`);
    return changeServer(context, action === "uninstall" ? "remove" : "add", agent);
  },
};

async function serve(context: Context): Promise<typeof EXIT.ok> {
  const { options, env, err } = context;
  if (process.stdin.isTTY) {
    await err.line("An agent speaks to this over standard input; Control-C ends it.");
    await err.line(`\`pollux mcp install AGENT\` tells an agent of it: ${AGENTS.join(", ")}.`);
  }
  const library = await openLibrary(options, env, { ingest: "thread" });
  const { serveMcp } = await import("../../mcp/serve.ts");
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
    without: "Any client of the protocol can start `pollux mcp`.",
    json: { server: value },
    ask: (mode) => library.archive.settings("mcpServer", { value, action, mode }),
  });
}
