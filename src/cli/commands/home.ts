import { optional } from "../../core/optional.ts";
import { AGENT_OPTIONS, agentOf } from "../options/agent.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { MONEY_OPTIONS, moneyFormatOf, TIMEZONE_OPTION } from "../options/ledger.ts";
import { openInThread, openLibrary } from "../open-library.ts";
import { resumeSession } from "../resume-session.ts";
import { writeStreamedFile } from "../streamed-file.ts";
import { command as overview } from "./overview.ts";

export const command: Command = {
  about:
    "Press ? for the keys. Without a terminal, or with --plain or --json, prints the overview " +
    "instead.",
  options: [
    { flags: "--plain", about: "print the overview as text, for example for screen readers" },
    { flags: "-p, --project <name>", about: "only projects whose name or path contains this" },
    ...AGENT_OPTIONS,
    TIMEZONE_OPTION,
    ...MONEY_OPTIONS,
  ],
  examples: [
    { line: "home", about: "open it; the same as `pollux`" },
    { line: "home --project bakery", about: "one project" },
    { line: "home --plain", about: "the overview, as text" },
  ],
  async run(context) {
    if (!isInteractive(context) || (await isEmpty(context))) return overview.run(context);
    const { runHome } = await import("../../tui/home.ts");
    const { options, env, style } = context;
    const now = clockOf(context);
    const { sources } = await import("../../sources/index.ts");
    const agent = agentOf(options);
    const source = sources.find(({ id, aliases }) => id === agent || aliases.includes(agent ?? ""));
    const known =
      options.has("demo") || options.has("fresh") ? undefined : options.without("refresh");
    const { outcome, isBusy } = await runHome({
      input: process.stdin,
      output: process.stdout,
      style,
      money: moneyFormatOf(context),
      timezone: options.text("timezone"),
      now,
      library: {
        // Ingests in a thread, so that keys are handled meanwhile.
        open: (tell) => openLibrary(options, env, { ingest: "thread", ...tell }),
        openKnown: known && (() => openLibrary(known, env)),
        openAside: known && (() => openInThread(known, env)),
        openDisk: () => {
          const noStore = { ...env, POLLUX_STORE: undefined };
          return openLibrary(options.without("store"), noStore, { archive: "none" });
        },
        clock: () => Date.now(),
      },
      scope: {
        period: "30 days",
        ...optional("source", source?.id),
        ...optional("project", options.text("project")),
      },
      // Exports may be unmasked, so only the owner may read them.
      writeFile: (path, chunks) =>
        writeStreamedFile({ path, chunks, existing: "stays", access: "owner" }),
    });
    if (outcome.kind === "resume") {
      const place = { nowMs: now().getTime() };
      return resumeSession(context, { id: outcome.sessionId, place, mode: "run" });
    }
    return outcome.kind === "interrupted" || isBusy ? EXIT.interrupted : EXIT.ok;
  },
};

/** Whether a person is at a terminal with a keyboard and cursor control. */
function isInteractive({ isTerminal, isJson, options, env }: Context): boolean {
  const isDrawable = (env["TERM"] ?? "") !== "dumb" && (env["POLLUX_PLAIN"] ?? "") === "";
  return isTerminal && process.stdin.isTTY && isDrawable && !isJson && !options.has("plain");
}

/** With no sessions, the plain output tells where they would be. */
async function isEmpty(context: Context): Promise<boolean> {
  return (await context.library()).archive.isEmpty();
}

/** A clock that starts at the run's `now`, because the demo has its own date. */
function clockOf({ now }: Context): () => Date {
  const ahead = now.getTime() - Date.now();
  return () => new Date(Date.now() + ahead);
}
