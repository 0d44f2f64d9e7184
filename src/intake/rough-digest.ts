import type { Digest } from "../model/digest.ts";
import type { Facts } from "../model/entry.ts";
import { optional } from "../model/optional.ts";
import type { SessionFile } from "../model/session-file.ts";
import type { SessionSummary } from "../model/summary.ts";
import type { SkimmedFile } from "./skim-file.ts";
import type { Wanted } from "./skim-threads.ts";

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
 * be thousands: what says nothing is the same for all.
 */
export function barelyDigest(told: Barely): Digest {
  const { id, source, kind, startedAt, parentId } = told;
  return {
    session: { ...told, ...NOTHING, ledgerName: source, isImport: false },
    summary: {
      ...UNKNOWN,
      id,
      source,
      kind,
      parentId: parentId ?? null,
      startedAt: startedAt ?? null,
    },
    usage: NONE,
    tools: NONE,
    agentCalls: NONE,
  };
}

const NONE: never[] = [];
const PROJECT = { name: "", knownBy: "hash" } as const;
const NOTHING = { project: PROJECT, directories: NONE, compressions: NONE };

/** What no one may ask of such a digest. */
const UNKNOWN = {
  project: { ...PROJECT, path: null, hash: null },
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
  messages: { live: 0, rewound: 0, rewritten: 0 },
  toolCalls: { total: 0, success: 0, error: 0, cancelled: 0 },
  tokens: { input: null, cached: null, output: null, thoughts: null, tool: null, total: null },
} satisfies Partial<SessionSummary>;
