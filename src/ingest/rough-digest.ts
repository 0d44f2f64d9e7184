import type { Digest } from "../core/digest.ts";
import type { Facts } from "../core/entry.ts";
import { optional } from "../core/optional.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { SessionSummary } from "../core/summary.ts";
import { UNKNOWN_TOKENS } from "../core/summary.ts";
import type { Wanted } from "./second-skim.ts";
import type { SkimmedFile } from "./skim-file.ts";

/** What is known of a session that was only skimmed. */
export function roughDigest({ source, file }: Wanted, skimmed: SkimmedFile): Digest {
  const { sessionId: id, format, generation, usage, facts } = skimmed;
  const { path, root, role, sizeBytes, modifiedMs, isCleaned } = file;
  const kind = facts.kind === "subagent" || role === "subagent" ? "subagent" : "main";
  const ref = { path, root, role, format, generation, sizeBytes, modifiedMs, isCleaned };
  const barely = barelyDigest({
    id,
    source: source.id,
    kind,
    files: [{ ...ref, part: "whole" }],
    ...optional("startedAt", facts.startedAt),
    ...optional("parentId", file.parentId ?? parentOf(file, facts)),
  });
  barely.session.ledgerName = source.ledgerName;
  barely.usage = usage;
  return barely;
}

/** A subagent's file among the main ones carries its parent's id. */
function parentOf({ role }: SessionFile, { kind, sessionId }: Facts): string | undefined {
  return kind === "subagent" && role === "main" ? sessionId : undefined;
}

type Barely = Pick<Digest["session"], "id" | "source" | "kind" | "files"> &
  Partial<Pick<Digest["session"], "startedAt" | "parentId">>;

/**
 * A digest that tells when a session was, what it is and where it lies, and nothing else. There may
 * be thousands: what says nothing is the same for all, and written out, for that is quickest.
 */
export function barelyDigest({ id, source, kind, files, startedAt, parentId }: Barely): Digest {
  const session: Digest["session"] = {
    id,
    source,
    kind,
    files,
    project: PROJECT,
    directories: NONE,
    compressions: NONE,
    ledgerName: source,
    isImport: false,
  };
  if (startedAt !== undefined) session.startedAt = startedAt;
  if (parentId !== undefined) session.parentId = parentId;
  const told = { id, source, kind, parentId: parentId ?? null, startedAt: startedAt ?? null };
  return { session, summary: barelySummary(told), usage: NONE, tools: NONE, agentCalls: NONE };
}

type ToldInSummary = Pick<SessionSummary, "id" | "source" | "kind" | "parentId" | "startedAt">;

/** Beside what is told: what no one may ask of such a digest. */
function barelySummary({ id, source, kind, parentId, startedAt }: ToldInSummary): SessionSummary {
  return {
    id,
    source,
    kind,
    parentId,
    startedAt,
    project: UNKNOWN_PROJECT,
    isImport: false,
    files: NONE,
    parentCallId: null,
    title: null,
    updatedAt: null,
    goneSince: null,
    status: "empty",
    prompts: 0,
    models: NONE,
    compressions: 0,
    messages: NO_MESSAGES,
    toolCalls: NO_CALLS,
    tokens: UNKNOWN_TOKENS,
  };
}

const NONE: never[] = [];
const PROJECT = { name: "", knownBy: "hash" } as const;
const UNKNOWN_PROJECT = { ...PROJECT, path: null, hash: null };
const NO_MESSAGES = { live: 0, rewound: 0, rewritten: 0 };
const NO_CALLS = { total: 0, success: 0, error: 0, cancelled: 0 };
