import { keyOf } from "../../core/session/links.ts";
import type { LinkedSession } from "../../core/session/links.ts";
import type { SessionRows } from "../../core/rows/session-rows.ts";
import type { SessionWork, SessionWorkRow, WorkReply } from "../../core/rows/session-work.ts";
import type { UsageFact } from "../../core/usage/usage-fact.ts";
import { msOf } from "../row-values.ts";

/** The stored rows of a session by its key, and its work if it was read in full. */
interface KnownWork {
  rowsOf(key: string): SessionRows | undefined;
  workOf(key: string): SessionWork | undefined;
}

export function workRows(
  sessions: readonly LinkedSession[],
  sessionIds: readonly string[],
  known: KnownWork,
): SessionWorkRow[] {
  const wanted = new Set(sessionIds);
  return sessions
    .filter(({ summary }) => wanted.has(summary.id))
    .map(({ summary: { source, id, project, startedAt }, usage }) => {
      const key = keyOf(source, id);
      const positions = new Map(known.rowsOf(key)?.usage.map((fact, position) => [fact, position]));
      return {
        source,
        id,
        projectPath: project.path,
        startedMs: msOf(startedAt),
        work: known.workOf(key) ?? null,
        replies: usage.map((fact) => replyOf(fact, positions.get(fact) ?? 0)),
      };
    });
}

function replyOf(fact: UsageFact, position: number): WorkReply {
  return {
    position,
    messageId: fact.messageId,
    atMs: msOf(fact.at),
    model: fact.model ?? null,
    standing: fact.standing,
    purpose: fact.purpose ?? null,
    tier: fact.tier ?? null,
    input: fact.input,
    fresh: fact.fresh,
    cached: fact.cached,
    cacheWrite5m: fact.cacheWrite5m,
    cacheWrite1h: fact.cacheWrite1h,
    output: fact.output,
    thoughts: fact.thoughts,
    tool: fact.tool,
    total: fact.total,
    webSearches: fact.webSearches,
  };
}
