import { compareTexts } from "../../core/lists.ts";
import type { ExpiringCount } from "../../core/files/expiry.ts";
import { groupBy } from "../../core/group.ts";
import type { SessionAtRisk } from "./retention-risk.ts";

/** Sessions that agents will delete by themselves. All doors show the same message. */
export interface Deletion {
  sessions: number;
  notKept: number;
  /** `calm`: everything is kept. `loud`: something would be lost. */
  tone: "none" | "calm" | "loud";
  agents: { source: string; name: string; sessions: number; notKept: number }[];
  message: string;
}

/** `unseen`: number of further sessions that will be deleted; only known to be not kept. */
export function deletionSummary(
  counts: readonly ExpiringCount[],
  names: ReadonlyMap<string, string>,
  unseen = 0,
): Deletion {
  const agents = counts
    .map(({ source, ...count }) => ({ source, name: names.get(source) ?? source, ...count }))
    .toSorted((a, b) => b.sessions - a.sessions || compareTexts(a.source, b.source));
  const sessions = agents.reduce((sum, agent) => sum + agent.sessions, unseen);
  const notKept = agents.reduce((sum, agent) => sum + agent.notKept, unseen);
  const tone = sessions === 0 ? "none" : notKept === 0 ? "calm" : "loud";
  const all = willBeDeleted(
    sessions,
    agents.map(({ name }) => name),
  );
  return { sessions, notKept, tone, agents, message: messageOf({ sessions, notKept }, all) };
}

/** `4 sessions will be deleted by Gemini CLI`; `by their agents` if the agents are not known. */
export function willBeDeleted(sessions: number, agents: readonly string[]): string {
  const by = agents.length === 0 ? "their agents" : agents.join(" and ");
  return `${many(sessions)} will be deleted by ${by}`;
}

export function countRisks(atRisk: readonly SessionAtRisk[]): ExpiringCount[] {
  return [...groupBy(atRisk, ({ source }) => source)].map(([source, group]) => {
    const notKept = group.filter(({ isKept }) => !isKept).length;
    return { source, sessions: group.length, notKept };
  });
}

function messageOf(
  { sessions, notKept }: Pick<Deletion, "sessions" | "notKept">,
  all: string,
): string {
  if (sessions === 0) return "No session is about to be deleted.";
  if (notKept === 0) return `${all}; ${sessions === 1 ? "it is" : "all are"} archived.`;
  const which =
    notKept === sessions
      ? sessions === 1
        ? "it is"
        : "none is"
      : `${number(notKept)} of them ${notKept === 1 ? "is" : "are"}`;
  return `${all}; ${which} ${which.startsWith("none") ? "archived" : "not archived"} yet.`;
}

function many(count: number): string {
  return count === 1 ? "1 session" : `${number(count)} sessions`;
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}
