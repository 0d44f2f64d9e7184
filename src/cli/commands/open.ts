import type { SessionSummary } from "../../core/summary.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import type { ExitCode } from "../exit.ts";
import { FILTER_OPTIONS, filterOf, LIMIT_OPTION } from "../filter-options.ts";
import { wrongUsage } from "../options.ts";
import { emptyLines } from "../print/empty.ts";
import { moment } from "../print/figures.ts";
import { safeLine } from "../print/safe.ts";
import { fit } from "../print/width.ts";
import { resumeSession } from "../resume-session.ts";

export const command: Command = {
  about: "Type to narrow the list down, choose with the arrows, then say what to do with it.",
  options: [...FILTER_OPTIONS, LIMIT_OPTION],
  examples: [
    { line: "open", about: "choose among all sessions, the most recent first" },
    { line: "open --project ledger", about: "among those of a project" },
  ],
  async run(context) {
    if (context.isJson) throw wrongUsage("open asks a person; --json is for `pollux sessions`.");
    if (!context.isTerminal || !process.stdin.isTTY) {
      throw wrongUsage("open needs a terminal to ask on.", {
        remedy: "`pollux sessions` lists what there is; `show` and `resume` take an id.",
      });
    }
    const library = await context.library();
    const list = await library.sessions({ kind: "main", ...filterOf(context.options) });
    const sessions = list.sessions.filter(({ status }) => status !== "stub" && status !== "empty");
    if (sessions.length > 0) return pick(context, sessions);
    for (const line of emptyLines(library.roots, list.coverage, context.style)) {
      await context.out.line(line);
    }
    return EXIT.ok;
  },
};

async function pick(context: Context, sessions: readonly SessionSummary[]): Promise<ExitCode> {
  const { autocomplete, isCancel, select } = await import("@clack/prompts");
  const words = new Map(sessions.map((session) => [session.id, wordsOf(session)]));
  const id = await autocomplete({
    message: "Which session?",
    placeholder: "Type a part of its title, project or id",
    maxItems: 12,
    options: sessions.map((session) => ({ value: session.id, label: lineOf(session, context) })),
    filter: (search, { value }) => {
      const wanted = search.toLowerCase().split(/\s+/);
      return wanted.every((word) => words.get(value)?.includes(word) === true);
    },
    validate: (value) => (value === undefined ? "No session has these words." : undefined),
  });
  if (isCancel(id)) return EXIT.ok;
  const act = await select({
    message: "What with it?",
    options: [
      { value: "show", label: "Show it" },
      { value: "resume", label: "Go on with it" },
      { value: "id", label: "Print its id" },
    ] as const,
  });
  return isCancel(act) ? EXIT.ok : doIt(context, id, act);
}

function wordsOf({ id, title, project }: SessionSummary): string {
  return `${id} ${title ?? ""} ${project.name} ${project.path ?? ""}`.toLowerCase();
}

/** The marks of the list stand before it. */
const MARGIN = 8;

function lineOf(
  { title, project, updatedAt, goneSince }: SessionSummary,
  context: Context,
): string {
  const gone = goneSince === null ? "" : " (only in the archive)";
  const when = moment(updatedAt, context.now);
  const text = `${when}  ${safeLine(project.name)}${gone}  ${safeLine(title ?? "untitled")}`;
  return fit(text, context.columns - MARGIN);
}

async function doIt(
  context: Context,
  id: string,
  act: "show" | "resume" | "id",
): Promise<ExitCode> {
  switch (act) {
    case "show": {
      const { command: show } = await import("./show.ts");
      return show.run({ ...context, args: [id] });
    }
    case "resume": {
      const place = { nowMs: context.now.getTime() };
      return resumeSession(context, { id, place, mode: "run" });
    }
    case "id":
      await context.out.line(safeLine(id));
      return EXIT.ok;
    default:
      return act satisfies never;
  }
}
