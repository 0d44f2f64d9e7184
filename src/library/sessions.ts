import type { SessionFilter } from "../core/filter/filter.ts";
import type { PromptLog } from "../core/session/prompt-log.ts";
import type { SavedChat } from "../core/session/saved-chat.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import { readSession } from "../ingest/read-session.ts";
import { optional } from "../core/optional.ts";
import { promptLogs, savedChats } from "../ingest/companions/stored-companions.ts";
import type { Coverage } from "../queries/coverage.ts";
import { coverageOf } from "../queries/coverage.ts";
import { unequalDiagnostic } from "../queries/doctor/odd-counts.ts";
import { containsPrompts, mayContain } from "../queries/prompt-logs/match-prompt-log.ts";
import type {
  PromptLogSummary,
  SavedChatSummary,
} from "../queries/prompt-logs/unmatched-prompts.ts";
import {
  newestChats,
  newestLogs,
  summariseChat,
  summariseLog,
} from "../queries/prompt-logs/unmatched-prompts.ts";
import {
  ambiguous,
  isNamed,
  notFound,
  noSessionsError,
  sessionNamed,
  sharedByAgents,
} from "./naming.ts";
import type { StoreView } from "./store-view.ts";
import { totalBytes } from "../core/files/session-file.ts";
import { keyOf } from "../core/session/links.ts";

export interface SessionList {
  sessions: SessionSummary[];
  savedChats: SavedChatSummary[];
  /** Sessions of which only the prompts are left. */
  promptLogs: PromptLogSummary[];
  /** Number of matching sessions, including those beyond the limit. */
  total: number;
  /** Cursor of the next page, to pass as `after`. */
  next?: string;
  coverage: Coverage;
}

/** A list whose sessions are streamed in parts. */
export interface SessionListInParts extends Omit<SessionList, "sessions" | "next"> {
  sessions: AsyncIterable<SessionSummary[]>;
}

/** Summaries of sessions, newest first. Saved chats and prompt logs are on the first page only. */
export async function listSessions(view: StoreView, filter: SessionFilter): Promise<SessionList> {
  const { store, scope } = view;
  const { limit, after } = filter;
  const query = { scope, filter, ...optional("limit", limit), ...optional("after", after) };
  const { items: sessions, ...page } = await store.summaries(query);
  return completeList(view, filter, { sessions, ...page });
}

/** Adds saved chats, prompt logs and coverage to a list of sessions. */
export async function completeList(
  view: StoreView,
  filter: SessionFilter,
  { sessions, total, next }: Pick<SessionList, "sessions" | "total" | "next">,
): Promise<SessionList> {
  const { store, scope } = view;
  const { source, after } = filter;
  const isFirst = after === undefined;
  const own = optional("source", source);
  const unequal = await store.replies({ scope, filter: own, only: "unequal" });
  const chats = isFirst ? await chatsOf(view) : [];
  const logs = isFirst ? await unmatchedLogs(view) : [];
  return {
    sessions,
    savedChats: newestChats(chats.map(summariseChat), filter),
    promptLogs: newestLogs(logs.map(summariseLog), filter),
    total,
    ...optional("next", next),
    coverage: coverageOf(await store.coverage({ scope, ...own }), unequal.map(unequalDiagnostic)),
  };
}

export interface AgentSummary {
  id: string;
  name: string;
  sessions: number;
}

/** Agents that have at least one session. */
export async function listAgents({ store, sources, scope }: StoreView): Promise<AgentSummary[]> {
  const { sessions } = await store.coverage({ scope });
  return sources.flatMap(({ id, name }) => {
    const own = sessions.filter(({ source }) => source === id);
    const count = own.reduce((sum, group) => sum + group.sessions, 0);
    return count === 0 ? [] : [{ id, name, sessions: count }];
  });
}

export function chatsOf({ store, sources, scope }: StoreView): Promise<SavedChat[]> {
  return savedChats(store, { sources, scope });
}

/** Finds a session by its id, a prefix of it, or `latest`; with an agent: `codex:latest`. */
export async function findSession(
  view: StoreView,
  asked: string,
  within: Pick<SessionFilter, "source"> = {},
): Promise<SessionRow> {
  const named = { ...within, ...sessionNamed(asked, view.sources) };
  const { id: name, ...filter } = named;
  if (name === "latest") return latestSession(view, filter);
  const { store, scope } = view;
  const exact = (await store.sessions({ scope, filter, ids: [name] })).items;
  if (exact.length > 0) return onlyOf(exact);
  const idStart = name.split("~", 1)[0] ?? name;
  const begun = await store.sessions({ scope, filter, idStarts: [idStart] });
  const found = begun.items.filter(({ summary }) => isNamed(summary.id, name));
  // A subagent's id may extend its parent's; their common prefix means the parent.
  const [first] = found.toSorted((a, b) => a.summary.id.length - b.summary.id.length);
  if (!first || name === "") throw notFound(named);
  const start = first.summary.id;
  if (found.some(({ summary }) => !summary.id.startsWith(start))) {
    throw ambiguous(
      name,
      found.map(({ summary }) => summary.id),
    );
  }
  return onlyOf(found.filter(({ summary }) => summary.id === start));
}

/** Of sessions with one id, the only one. */
function onlyOf([first, ...others]: readonly SessionRow[]): SessionRow {
  if (!first) throw notFound({ id: "" });
  const { id, source } = first.summary;
  const sources = new Set([source, ...others.map(({ summary }) => summary.source)]);
  if (sources.size > 1) throw sharedByAgents(id, [...sources]);
  return first;
}

const PAGE = 50;

async function latestSession(
  { store, scope, roots }: StoreView,
  filter: Pick<SessionFilter, "source">,
): Promise<SessionRow> {
  let after: string | undefined;
  for (;;) {
    const page = await store.sessions({
      scope,
      filter: { ...filter, kind: "main" },
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    const latest = page.items.find(({ summary }) => summary.status !== "stub");
    if (latest) return latest;
    after = page.next;
    if (after === undefined) break;
  }
  const { total } = await store.sessions({ scope, limit: 1 });
  throw total === 0 ? noSessionsError(roots) : notFound({ ...filter, id: "latest" });
}

/** Larger sessions are not read just to make a list. */
const READ_BYTES = 32 * 1024 * 1024;

/** Prompt logs of sessions of which nothing else is left. */
export async function unmatchedLogs(view: StoreView): Promise<PromptLog[]> {
  const { store, sources, scope } = view;
  const logs = await promptLogs(store, { sources, scope });
  if (logs.length === 0) return [];
  const ids = logs.map(({ sessionId }) => sessionId);
  const named = (await store.summaries({ scope, ids })).items;
  const known = new Set(named.map(({ source, id }) => keyOf(source, id)));
  const left = logs.filter(({ source, sessionId }) => !known.has(keyOf(source, sessionId)));
  if (left.length === 0) return [];
  const all = (await store.summaries({ scope, filter: { kind: "main" } })).items;
  const unmatched: PromptLog[] = [];
  for (const log of left) if (!(await isRecordedElsewhere(view, log, all))) unmatched.push(log);
  return unmatched;
}

/** True if exactly one session contains the log's prompts; in doubt, the log is listed. */
async function isRecordedElsewhere(
  view: StoreView,
  log: PromptLog,
  sessions: readonly SessionSummary[],
): Promise<boolean> {
  const possible = sessions.filter((summary) => {
    const sizeBytes = totalBytes(summary.files);
    return summary.source === log.source && mayContain(summary, log) && sizeBytes <= READ_BYTES;
  });
  let matching = 0;
  for (const summary of possible) {
    const session = await readSession(view, summary);
    if (session && containsPrompts(session, log)) matching += 1;
  }
  return matching === 1;
}
