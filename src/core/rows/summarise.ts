import type { Message, Standing } from "../session/message.ts";
import { isOriginal } from "../session/message.ts";
import type { Project } from "../session/project.ts";
import type { Session, SessionFileRef } from "../session/session.ts";
import type { ProjectAnswer, SessionSummary, TokenSums } from "./summary.ts";
import { NO_TOKENS, UNKNOWN_TOKENS } from "./summary.ts";
import type { ToolCall } from "../session/tool-call.ts";
import { countOutcomes } from "../session/tool-call.ts";
import type { UsageFact } from "../usage/usage-fact.ts";
import { statusOf } from "../session/status.ts";
import { factsOf, sumFacts, sumSearches } from "../usage/usage-facts.ts";

export function summarise(
  session: Session,
  facts: readonly UsageFact[] = factsOf(session),
): SessionSummary {
  const { messages, project } = session;
  const own = messages.filter(isOriginal);
  return {
    id: session.id,
    source: session.source,
    project: projectAnswer(project),
    kind: session.kind,
    parentId: session.parentId ?? null,
    parentCallId: session.parentCallId ?? null,
    title: titleOf(session),
    startedAt: session.startedAt ?? null,
    updatedAt: session.updatedAt ?? null,
    status: statusOf(session),
    prompts: own.filter(isPrompt).length,
    messages: countStandings(messages),
    toolCalls: countOutcomes(own.flatMap(callsOf)),
    models: modelsOf(messages, facts),
    tokens: sumTokens(messages, facts),
    isAtLeast: facts.some((fact) => fact.isAtLeast === true),
    webSearches: sumSearches(facts),
    compressions: session.compressions.length,
    isImport: session.isImport,
    files: session.files.map(({ path, format, part, sizeBytes }) => {
      return { path, format, part, sizeBytes };
    }),
    goneSince: goneSince(session.files),
  };
}

function isPrompt(message: Message): boolean {
  return message.isPrompt;
}

function callsOf({ toolCalls }: Message): ToolCall[] {
  return toolCalls;
}

/**
 * Returns the time at which the last file disappeared from disk. Stubs are ignored if there are
 * other files, because they hold nothing of the conversation.
 */
export function goneSince(files: readonly SessionFileRef[]): string | null {
  const conversations = files.filter(({ part }) => part !== "stub");
  const times = (conversations.length > 0 ? conversations : files).map(
    ({ goneSinceMs }) => goneSinceMs ?? Number.POSITIVE_INFINITY,
  );
  const last = Math.max(...times);
  return Number.isFinite(last) ? new Date(last).toISOString() : null;
}

export function projectAnswer({ name, path, hash, knownBy }: Project): ProjectAnswer {
  return { name, path: path ?? null, hash: hash ?? null, knownBy };
}

const TITLE_LENGTH = 120;

/** Returns the generated title, otherwise the first prompt or the delegated task. */
export function titleOf(session: Pick<Session, "summary" | "messages">): string | null {
  const asked = session.messages.find(isPrompt);
  const delegated = session.messages.find(isOnlyTask);
  const summary = session.summary === undefined ? undefined : reportedWords(session.summary);
  const words = summary ?? asked?.typed ?? asked?.text ?? delegated?.text;
  if (words === undefined) return null;
  const line = words.replace(/\s+/g, " ").trim();
  if (line === "") return null;
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}

/** A subagent's title is its report, often cut short: `{ "SummaryOfFindings": "The ledger is …` */
const REPORT = /^\s*\{\s*"[^"]*"\s*:\s*("(?:[^"\\]|\\.)*")/;

function reportedWords(summary: string): string {
  const quoted = REPORT.exec(summary)?.[1];
  if (quoted === undefined) return summary;
  try {
    const words: unknown = JSON.parse(quoted);
    return typeof words === "string" ? words : summary;
  } catch {
    // Not valid JSON: use the whole summary.
    return summary;
  }
}

/** Whether a message is the task of a subagent; other injected texts are not used as titles. */
function isOnlyTask(message: Message): boolean {
  const { author, text, injections } = message;
  if (author !== "user" || text === "" || !isOriginal(message)) return false;
  return injections.every(({ kind }) => kind === "delegation");
}

function countStandings(messages: readonly Message[]): Record<Standing, number> {
  const counts = { live: 0, rewound: 0, rewritten: 0 };
  for (const { standing } of messages) counts[standing] += 1;
  return counts;
}

/**
 * Collects the models of messages and of usage facts: not every message that shows a reply names
 * its model.
 */
function modelsOf(messages: readonly Message[], facts: readonly UsageFact[]): string[] {
  const models = new Set<string>();
  const others = new Set<string>();
  for (const message of messages) {
    if (!isOriginal(message)) others.add(message.id);
    else if (message.model !== undefined) models.add(message.model);
  }
  for (const { messageId, model } of facts) {
    if (model !== undefined && !others.has(messageId)) models.add(model);
  }
  return [...models];
}

/**
 * Counts every paid reply once, whatever its standing, with the same arithmetic as every report.
 * Tokens are unknown if there are answers without counts, and zero if no model answered.
 */
function sumTokens(messages: readonly Message[], facts: readonly UsageFact[]): TokenSums {
  if (facts.length > 0) return sumFacts(facts);
  return messages.some(isReply) ? UNKNOWN_TOKENS : NO_TOKENS;
}

function isReply(message: Message): boolean {
  return message.author === "model" && isOriginal(message);
}
