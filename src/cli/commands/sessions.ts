import type { Library, SessionList } from "../../library/library.ts";
import type { SessionFilter } from "../../core/filter/filter.ts";
import { optional } from "../../core/optional.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { FILTER_OPTIONS, filterOf, LIMIT_OPTION } from "../options/filter.ts";
import { MONEY_OPTIONS, moneyFormatOf } from "../options/ledger.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { hasSeveral } from "../print/agent.ts";
import { coverageLines } from "../print/coverage.ts";
import { emptyLines } from "../print/empty.ts";
import { briefMoment, counted, exact } from "../print/figures.ts";
import { writeJson, writeJsonList } from "../print/json.ts";
import { wrap } from "../print/width.ts";
import { costsOf } from "../print/session-costs.ts";
import type { SessionListView } from "../print/session-list.ts";
import { GONE_MARK, chatLines, idStarts, logLines, sessionLines } from "../print/session-list.ts";

export const command: Command = {
  about:
    "An arrow marks subagents. Several filters are combined: a session must match all of them.",
  options: [...FILTER_OPTIONS, LIMIT_OPTION, ...MONEY_OPTIONS, PAGER_OPTION],
  examples: [
    { line: "sessions --since 7d", about: "the last seven days" },
    {
      line: "sessions -p dash --status failure",
      about: "failed sessions of projects whose name contains dash",
    },
    { line: "sessions --kind saved-chat", about: "manually saved chats" },
    { line: "sessions --json --limit 5", about: "the five newest, for programs" },
  ],
  async run(context) {
    const filter = filterOf(context.options);
    const library = await context.library();
    if (context.isJson) {
      await (filter.limit === undefined
        ? writeEvery(library, filter, context)
        : writeJson(context.out, await library.sessions(filter)));
      return EXIT.ok;
    }
    const lines = await linesOf(library, filter, context);
    await paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    return EXIT.ok;
  },
};

/** Streams the list: there may be tens of thousands of sessions. */
async function writeEvery(
  library: Library,
  filter: SessionFilter,
  { out }: Context,
): Promise<void> {
  const { sessions: parts, ...others } = await library.review.everySession(filter);
  await writeJsonList(out, { name: "sessions", parts }, others);
}

/** Default limit on a terminal; a pipe gets all sessions. */
const TERMINAL_LIMIT = 1000;

async function linesOf(
  library: Library,
  filter: SessionFilter,
  context: Context,
): Promise<string[]> {
  const limit = filter.limit ?? (context.isTerminal ? TERMINAL_LIMIT : undefined);
  const { limit: _limit, ...wanted } = filter;
  const list = await library.sessions({ ...wanted, ...optional("limit", limit) });
  const { source, project } = filter;
  const agent = { ...optional("kind", sessionKind(filter)), ...optional("source", source) };
  const isAll = Object.keys(wanted).every((name) => name in agent);
  const all = isAll ? list : await library.sessions({ ...agent, limit: 1 });
  const isNothingThere = all.total + all.savedChats.length + all.promptLogs.length === 0;
  if (isNothingThere && filter.kind === undefined && source === undefined) {
    return emptyLines(library.roots, all.coverage, context.style);
  }
  const { tableColumns: columns } = context;
  const query = { ...optional("source", source), ...optional("project", project) };
  const costs =
    columns < COST_COLUMNS ? undefined : await costsOf(library.review, list.sessions, query);
  const isPart = source === undefined && list.total > list.sessions.length;
  const hasAgents = hasSeveral(list.sessions) || (isPart && (await library.agents()).length > 1);
  const view = { ...context, columns, costs, hasAgents, money: moneyFormatOf(context), filter };
  const limited = { list, all, limit: limit ?? Number.POSITIVE_INFINITY };
  const ids = await library.review.ids(idStarts(list.sessions));
  return [...tableOf(limited, ids, view), "", ...footer(limited, view)];
}

/** Narrower terminals have no room for the cost column. */
const COST_COLUMNS = 90;

interface Limited {
  list: SessionList;
  /** All sessions (of the agent) regardless of the filter; only their number is read. */
  all: SessionList;
  limit: number;
}

type View = SessionListView & { filter: SessionFilter };

function tableOf({ list, limit }: Limited, ids: readonly string[], view: View): string[] {
  const { kind } = view.filter;
  if (countOf(list, kind) === 0) return ["Nothing matches."];
  if (kind === "saved-chat") return chatLines(list.savedChats.slice(0, limit), view);
  if (kind === "prompt-log") return logLines(list.promptLogs.slice(0, limit), view);
  return sessionLines(list.sessions, ids, view);
}

function sessionKind({ kind }: SessionFilter): string | undefined {
  return kind === "saved-chat" || kind === "prompt-log" ? undefined : kind;
}

function countOf({ total, savedChats, promptLogs }: SessionList, kind?: string): number {
  if (kind === "saved-chat") return savedChats.length;
  return kind === "prompt-log" ? promptLogs.length : total;
}

/** What the list leaves out, and what it is based on. */
function footer({ list, all, limit }: Limited, view: View): string[] {
  const { filter, style, now, columns } = view;
  const { kind } = filter;
  const found = countOf(list, kind);
  const everything = countOf(all, kind);
  const noun = nounOf(kind);
  const counts = [];
  if (found > limit) counts.push(`${exact(limit)} of ${counted(found, noun)}: --limit shows more`);
  else if (found < everything) counts.push(`${exact(found)} of ${counted(everything, noun)}`);
  else counts.push(counted(found, noun));
  const { savedChats, promptLogs } = all;
  if (savedChats.length > 0 && kind !== "saved-chat") {
    counts.push(`${counted(savedChats.length, "saved chat")}: --kind saved-chat`);
  }
  if (promptLogs.length > 0 && kind !== "prompt-log") {
    const many = counted(promptLogs.length, "session");
    counts.push(`${many} with only the prompts left: --kind prompt-log`);
  }
  counts.push(...goneLines(list.sessions, filter, now));
  const lines = counts.flatMap((text) => wrap(text, columns)).map((line) => style.dim(line));
  return [...lines, ...coverageLines(all.coverage, { style, columns })];
}

/** Explains the mark of deleted sessions, if there are any, with the dates. */
function goneLines(listed: SessionList["sessions"], { kind }: SessionFilter, now: Date): string[] {
  if (kind === "saved-chat" || kind === "prompt-log") return [];
  const gone = listed.flatMap(({ goneSince }) => goneSince ?? []).toSorted();
  if (gone.length === 0) return [];
  const many = counted(gone.length, "session is", "sessions are");
  const ends = [gone[0] ?? null, gone.at(-1) ?? null].map((at) => briefMoment(at, now));
  const since = [...new Set(ends)].join(" – ");
  const back = gone.length === 1 ? "restores it" : "restores one";
  const text = `${GONE_MARK} ${many} no longer on disk (since ${since}) but archived`;
  return [`${text}: \`pollux restore ID\` ${back}`];
}

function nounOf(kind: string | undefined): string {
  if (kind === "saved-chat") return "saved chat";
  if (kind === "prompt-log") return "session";
  return kind === undefined ? "session" : `${kind} session`;
}
