import { wrongUsage } from "../../core/error.ts";
import type { ForgetPlan } from "../../ingest/forgetting.ts";
import { optional } from "../../core/optional.ts";
import { AGENT_OPTIONS, agentOf } from "../options/agent.ts";
import type { Command, Context } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { EXIT } from "../exit.ts";
import { counted, exact, fullMoment, size } from "../print/figures.ts";
import { writeJson } from "../print/json.ts";
import { homePath } from "../print/path.ts";
import { safeLine } from "../print/safe.ts";

/** What `--json` prints. */
export interface ForgetAnswer extends ForgetPlan {
  isDone: boolean;
}

export const command: Command = {
  about:
    "Removes all versions of their files, derived data and the text index; they are not " +
    "archived again. The agents' own files are not changed. Shows what would be removed, and " +
    "removes it after confirmation or with --yes.",
  arguments: [{ name: "[ids...]", about: "session ids or unique prefixes" }],
  options: [
    {
      flags: "-p, --project <name>",
      about: "all sessions of projects whose name or path contains this",
    },
    ...AGENT_OPTIONS,
    { flags: "--before <when>", about: "all sessions last active before: 2026-11-15, 90d" },
    { flags: "-y, --yes", about: "remove without asking" },
  ],
  examples: [
    { line: "forget 55844c5c", about: "show what would be removed" },
    { line: "forget 55844c5c --yes", about: "remove it" },
    { line: "forget --project weather --yes", about: "a whole project" },
    { line: "forget --before 365d", about: "everything older than a year" },
  ],
  async run(context) {
    const { options, args, isJson, out } = context;
    const beforeMs = options.since("before");
    const selection = {
      ids: args,
      ...optional("project", options.text("project")),
      ...optional("source", agentOf(options)),
      ...optional("beforeMs", beforeMs),
    };
    if (args.length === 0 && Object.keys(selection).length === 1) {
      throw wrongUsage("Nothing selected: give session ids, --project, --agent or --before.");
    }
    const library = await context.library();
    const refs = await library.select(selection);
    const { archive } = library;
    const isSaid = options.has("yes");
    const plan = await (isSaid ? archive.forget(refs) : archive.planForget(refs));
    const answer: ForgetAnswer = { ...plan, isDone: isSaid };
    if (isJson) await writeJson(out, answer);
    else await print(plan, context, isSaid ? "done" : "planned");
    if (isSaid || isJson || plan.sessions.length === 0) return exitCodeOf(plan);
    if (await isConfirmed(context)) {
      await archive.forget(refs);
      await out.line("Forgotten.");
    } else
      await context.err.line("Nothing was removed. Use --yes to remove it; this cannot be undone.");
    return EXIT.ok;
  },
};

/** Asks on a terminal; elsewhere `--yes` is required. */
async function isConfirmed({ isTerminal }: Context): Promise<boolean> {
  if (!isTerminal || !process.stdin.isTTY) return false;
  const { confirm } = await import("@clack/prompts");
  const message = "Remove this from the archive permanently? This cannot be undone.";
  return (await confirm({ message, initialValue: false })) === true;
}

function exitCodeOf({ sessions }: ForgetPlan): ExitCode {
  return sessions.length === 0 ? EXIT.notFound : EXIT.ok;
}

const MOST = 20;

async function print(plan: ForgetPlan, context: Context, how: "done" | "planned"): Promise<void> {
  const { out, err, style } = context;
  if (plan.sessions.length === 0) return err.line("No archived session matches.");
  const verb = how === "done" ? "Forgot" : "Would forget";
  const sum = `${counted(plan.sessions.length, "session")}, ${counted(plan.files.length, "file")}`;
  await out.line(`${verb}: ${sum}, ${size(plan.sizeBytes)}`);
  for (const { id, project, title, updatedAt } of plan.sessions.slice(0, MOST)) {
    const about = `${fullMoment(updatedAt)}  ${safeLine(project)}  ${safeLine(title ?? "–")}`;
    await out.line(`  ${style.cyan(safeLine(id))}  ${about}`);
  }
  if (plan.sessions.length > MOST) {
    await out.line(`  and ${exact(plan.sessions.length - MOST)} more`);
  }
  for (const { path, prompts } of plan.sharedLogs) {
    const what = `${counted(prompts, "prompt")} remain in a log shared with other sessions`;
    await out.line(style.yellow(`${what}: ${homePath(path)}`));
  }
}
