import { wrongUsage } from "../../core/error.ts";
import { hostname } from "node:os";
import { optional } from "../../core/optional.ts";
import { SYNC_LEVELS } from "../../core/team/team.ts";
import type { SyncLevel } from "../../core/team/team.ts";
import type { SyncAnswer, SyncClient, SyncPlan, SyncStatus } from "../../library/sync.ts";
import type { Command, Context } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { safeLine } from "../print/safe.ts";
import { planLines, sentLines, statusLines } from "../print/sync.ts";
import { printAnswer } from "../print-answer.ts";

const ACTIONS = ["send", "enrol", "status", "level", "open", "close", "leave"] as const;
type Action = (typeof ACTIONS)[number];

export const command: Command = {
  about:
    "Nothing leaves this machine before you enrol it with a code. send (the default): archive, " +
    "then send what is new. level: send less than the team asks for, for one project or all: " +
    "none, usage (counts only), outline (also titles, tools, files touched), full. open, close: " +
    "let others read a session that you sent, or stop it. leave: stop sending.",
  arguments: [
    { name: "[action]", about: "what to do", choices: ACTIONS },
    { name: "[value]", about: "enrol: the code; level: the level; open, close: the session id" },
  ],
  options: [
    { flags: "--to <url>", about: "enrol: the team's server (https://…)" },
    { flags: "--name <name>", about: "enrol: a name for this machine" },
    { flags: "--project <project>", about: "level: only this project (path or name)" },
    { flags: "--team <name>", about: "open: only to this team (default: everybody)" },
    { flags: "--dry-run", about: "list everything that would be sent, without sending it" },
    { flags: "--now", about: "send as fast as possible, ignoring the team's pace" },
  ],
  examples: [
    {
      line: "sync enrol ABCD-EFGH-JKMN --to https://pollux.example.com",
      about: "enrol this machine",
    },
    { line: "sync --dry-run", about: "show what would be sent" },
    { line: "sync", about: "send what is new" },
    {
      line: "sync level usage --project ~/projects/secret",
      about: "send only counts of one project",
    },
    { line: "sync open 55844c5c --team platform", about: "let a team read a session" },
  ],
  async run(context) {
    const [action = "send", value] = context.args;
    const library = await context.library();
    const sync = await library.archive.sync();
    return perform(action as Action, { sync, value, context });
  },
};

/** What `--json` prints, by action. */
export type SyncCommandAnswer =
  | SyncStatus
  | SyncPlan
  | SyncAnswer
  | { id: string; source?: string };

interface Work {
  sync: SyncClient;
  value: string | undefined;
  context: Context;
}

async function perform(action: Action, { sync, value, context }: Work): Promise<ExitCode> {
  const { options } = context;
  switch (action) {
    case "send":
      return send(sync, context);
    case "status":
      return printAnswer<SyncCommandAnswer>(
        context,
        sync.status,
        statusLines(sync.status, context),
      );
    case "enrol": {
      const to = options.text("to");
      if (value === undefined || to === undefined) {
        throw wrongUsage("Missing code or server: `pollux sync enrol CODE --to URL`.");
      }
      const status = await sync.enrol({
        code: value,
        to,
        name: options.text("name") ?? hostname(),
      });
      return printAnswer<SyncCommandAnswer>(context, status, statusLines(status, context));
    }
    case "level": {
      const project = options.text("project");
      const status = sync.setLevel(levelOf(value), project);
      const isKnown = project === undefined || (await sync.knows(project));
      return printAnswer<SyncCommandAnswer>(context, status, [
        ...statusLines(status, context),
        ...(isKnown ? [] : [context.style.yellow(noProject(project))]),
      ]);
    }
    case "open": {
      const team = options.text("team");
      const opened = await sync.open({ session: sessionOf(value), ...optional("team", team) });
      const whom = team === undefined ? "Everybody in the team" : `Team ${safeLine(team)}`;
      return printAnswer<SyncCommandAnswer>(context, opened, [
        `${whom} can now read ${safeLine(opened.id)}, with secrets masked.`,
      ]);
    }
    case "close": {
      const id = sessionOf(value);
      await sync.close(id);
      return printAnswer<SyncCommandAnswer>(context, { id }, [
        "Other people can no longer read it.",
      ]);
    }
    case "leave":
      sync.leave();
      return printAnswer<SyncCommandAnswer>(context, sync.status, [
        "This machine no longer sends anything. What it sent stays on the server.",
      ]);
    default:
      return action satisfies never;
  }
}

async function send(sync: SyncClient, context: Context): Promise<ExitCode> {
  const { options, now } = context;
  const { archive } = await context.library();
  if (sync.status.isEnrolled) await archive.keep(now.getTime());
  if (options.has("dryRun")) {
    const plan = await sync.plan();
    return printAnswer<SyncCommandAnswer>(context, plan, planLines(plan));
  }
  const answer = await sync.send({ pace: options.has("now") ? "none" : "team" });
  return printAnswer<SyncCommandAnswer>(context, answer, sentLines(answer));
}

function noProject(project: string): string {
  const check = "`pollux usage --by project` lists names and paths.";
  return `No archived session is in a project "${safeLine(project)}". ${check}`;
}

function sessionOf(id: string | undefined): string {
  if (id !== undefined) return id;
  throw wrongUsage("Missing session: give its id or a unique prefix.");
}

function levelOf(text: string | undefined): SyncLevel {
  const level = SYNC_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw wrongUsage(`"${text ?? ""}" is not a level.`, {
    remedy: `Use one of ${SYNC_LEVELS.join(", ")}.`,
  });
}
