import { compareTexts } from "../../core/lists.ts";
import type {
  PromptLogSummary,
  SavedChatSummary,
} from "../../queries/prompt-logs/unmatched-prompts.ts";
import type { Status } from "../../core/rows/summary.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import { paintAgent, shortAgent } from "./agent.ts";
import { briefMoment, exact, moment, shortNumber } from "./figures.ts";
import type { MoneyFormat } from "./money.ts";
import { STAR } from "./annotations.ts";
import { safeLine } from "./safe.ts";
import { costOfSession } from "../../queries/usage/session-names.ts";
import type { Costs } from "./session-costs.ts";
import type { Style } from "./style.ts";
import type { Column } from "./table.ts";
import { tableLines } from "./table.ts";
import type { DatedView } from "./view.ts";

export interface SessionListView extends DatedView {
  /** Whether the list has sessions of several agents, even if those shown are of one. */
  hasAgents: boolean;
  /** Shown only if there is room. */
  costs?: Costs | undefined;
  money: MoneyFormat;
}

const ID_LENGTH = 8;

/** Ids made from a file name share a prefix; include the time, which distinguishes them. */
function leastOf(id: string): number {
  return /^session-\d{4}-\d\d-\d\dT\d\d-\d\d(?!\d)/.exec(id)?.[0].length ?? ID_LENGTH;
}
const MINUTE_LENGTH = "10-03".length;

/** The beginning of an id; in nearly every home long enough to be unambiguous. */
export function shortId(id: string): string {
  const line = safeLine(id);
  return headOf(line).slice(0, leastOf(line)) + minuteOf(line);
}

/** Beginnings of the ids: ids with other beginnings do not change how they are shortened. */
export function idStarts(sessions: readonly Pick<SessionSummary, "id">[]): string[] {
  return [...new Set(sessions.map(({ id }) => headOf(id).slice(0, leastOf(id))))];
}

function headOf(id: string): string {
  return id.split("~", 1)[0] ?? id;
}

/** `4ebc57bb-…~2026-05-04T10-03`: a subagent with its parent's id is distinguished by its time. */
function minuteOf(id: string): string {
  return id.includes("~") ? `~${id.slice(headOf(id).length + 1).slice(-MINUTE_LENGTH)}` : "";
}

export function paintStatus(status: Status, style: Style): (text: string) => string {
  switch (status) {
    case "success":
      return (text) => style.green(text);
    case "failure":
      return (text) => style.red(text);
    case "interrupted":
    case "cancelled":
      return (text) => style.yellow(text);
    case "empty":
    case "stub":
      return (text) => style.dim(text);
    default:
      return status satisfies never;
  }
}

/** `similarIds`: ids of all sessions that begin like those in this list. */
export function sessionLines(
  sessions: readonly SessionSummary[],
  similarIds: readonly string[],
  view: SessionListView,
): string[] {
  const { style, now } = view;
  const ids = shownIds(similarIds);
  const columns: Column<SessionSummary>[] = [
    {
      title: "when",
      text: ({ updatedAt, startedAt }) => moment(updatedAt ?? startedAt, now),
      brief: { text: ({ updatedAt, startedAt }) => briefMoment(updatedAt ?? startedAt, now) },
    },
    {
      title: "id",
      text: ({ id }) => ids.get(id) ?? id,
      paint: (text) => style.cyan(text),
    },
    ...(view.hasAgents ? [agentColumn(style)] : []),
    projectColumn(),
    {
      title: "title",
      text: (row) => `${marksOf(row)}${tagsOf(row)}${safeLine(row.title ?? "–")}`,
      least: 36,
      most: 100,
      brief: { least: 16 },
      paint: (text, { kind }) => (kind === "subagent" ? style.dim(text) : text),
    },
    {
      title: "status",
      text: ({ status }) => status,
      rank: 2,
      paint: (text, { status }) => paintStatus(status, style)(text),
    },
    {
      title: "prompts",
      brief: { title: "pr" },
      text: ({ prompts }) => exact(prompts),
      align: "right",
      rank: 3,
    },
    ...(view.columns >= MODEL_COLUMNS ? [modelsColumn(style)] : []),
    { title: "tokens", text: ({ tokens }) => shortNumber(tokens.total), align: "right", rank: 1 },
    ...(view.costs ? [costColumn(view.costs, view.money)] : []),
  ];
  return tableLines(sessions, columns, view);
}

/** On narrower terminals, titles need the space. */
const MODEL_COLUMNS = 130;

function modelsColumn(style: Style): Column<SessionSummary> {
  return {
    title: "models",
    text: ({ models }) => models.map(safeLine).join(", "),
    least: 14,
    most: 26,
    paint: (text) => style.dim(text),
  };
}

function costColumn(costs: Costs, money: MoneyFormat): Column<SessionSummary> {
  // All with the digits of the largest, so that they are easy to compare.
  const fine = money.coins(
    [...costs.values()].reduce((most: number, cost) => Math.max(most, cost ?? 0), 0),
  );
  return {
    title: "cost",
    text: (session) => money.text(costOfSession(costs, session) ?? null, fine),
    align: "right",
    rank: 4,
  };
}

/** Marks the title of a session that is no longer on disk. */
export const GONE_MARK = "†";

function marksOf({ kind, goneSince, own }: SessionSummary): string {
  const star = own?.isStarred === true ? `${STAR} ` : "";
  const agent = `${star}${kind === "subagent" ? "↳ " : ""}`;
  return goneSince === null ? agent : `${agent}${GONE_MARK} `;
}

function tagsOf({ own }: SessionSummary): string {
  return (own?.tags ?? []).map((tag) => `#${safeLine(tag)} `).join("");
}

/** Shortens ids as far as they stay unambiguous. */
export function shownIds(ids: readonly string[]): Map<string, string> {
  const sorted = [...new Set(ids.map(headOf))].toSorted(compareTexts);
  const shown = new Map<string, string>();
  for (const [at, id] of sorted.entries()) {
    const shared = Math.max(sharedLength(id, sorted[at - 1]), sharedLength(id, sorted[at + 1]));
    shown.set(id, id.slice(0, Math.max(leastOf(id), shared + 1)));
  }
  return new Map(ids.map((id) => [id, safeLine((shown.get(headOf(id)) ?? "") + minuteOf(id))]));
}

function sharedLength(id: string, other = ""): number {
  // An id that is a prefix of another is found by its exact length.
  if (other.startsWith(id)) return 0;
  let length = 0;
  while (length < id.length && id[length] === other[length]) length += 1;
  return length;
}

/** Shown only for several agents, and if there is room. */
function agentColumn(style: Style): Column<SessionSummary> {
  return {
    title: "agent",
    text: ({ source }) => safeLine(shortAgent(source)),
    rank: 2,
    paint: (text, { source }) => paintAgent(source, style)(text),
  };
}

function projectColumn<Row extends Pick<SessionSummary, "project">>(): Column<Row> {
  return {
    title: "project",
    text: ({ project }) => safeLine(project.name),
    least: 9,
    most: 24,
    rank: 0,
  };
}

export function chatLines(chats: readonly SavedChatSummary[], view: DatedView): string[] {
  const columns: Column<SavedChatSummary>[] = [
    { title: "saved", text: ({ savedAt }) => moment(savedAt, view.now) },
    projectColumn(),
    {
      title: "tag",
      text: ({ tag }) => safeLine(tag),
      least: 20,
      paint: (text) => view.style.cyan(text),
    },
    { title: "prompts", text: ({ prompts }) => exact(prompts), align: "right" },
    { title: "messages", text: ({ messages }) => exact(messages), align: "right" },
  ];
  return tableLines(chats, columns, view);
}

export function logLines(logs: readonly PromptLogSummary[], view: DatedView): string[] {
  const columns: Column<PromptLogSummary>[] = [
    { title: "when", text: ({ updatedAt }) => moment(updatedAt, view.now) },
    {
      title: "id",
      text: ({ sessionId }) => shortId(sessionId),
      paint: (text) => view.style.cyan(text),
    },
    projectColumn(),
    {
      title: "first prompt",
      text: ({ prompts }) => safeLine(prompts[0]?.text ?? "–").slice(0, 200),
      least: 20,
      most: 100,
    },
    { title: "prompts", text: ({ prompts }) => exact(prompts.length), align: "right" },
  ];
  return tableLines(logs, columns, view);
}
