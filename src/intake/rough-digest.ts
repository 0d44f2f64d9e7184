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
  const { startedAt } = facts;
  const { path, root, role, sizeBytes, modifiedMs, isCleaned } = file;
  const kind = facts.kind === "subagent" || role === "subagent" ? "subagent" : "main";
  const parentId = file.parentId ?? parentOf(file, facts);
  const both = { id, source: source.id, kind, isImport: false } as const;
  const ref = { path, root, role, format, generation, sizeBytes, modifiedMs, isCleaned };
  return {
    session: {
      ...both,
      ledgerName: source.ledgerName,
      ...optional("parentId", parentId),
      project: PROJECT,
      ...optional("startedAt", startedAt),
      directories: [],
      compressions: [],
      files: [{ ...ref, part: "whole" }],
    },
    summary: {
      ...UNKNOWN,
      ...both,
      project: { ...PROJECT, path: null, hash: null },
      parentId: parentId ?? null,
      startedAt: startedAt ?? null,
      files: [{ path, format, part: "whole", sizeBytes }],
    },
    usage,
    tools: [],
    agentCalls: [],
  };
}

/** A subagent's file among the main ones carries its parent's id. */
function parentOf({ role }: SessionFile, { kind, sessionId }: Facts): string | undefined {
  return kind === "subagent" && role === "main" ? sessionId : undefined;
}

const PROJECT = { name: "", knownBy: "hash" } as const;

/** What no one may ask of a rough digest. */
const UNKNOWN = {
  parentCallId: null,
  title: null,
  updatedAt: null,
  goneSince: null,
  status: "empty",
  prompts: 0,
  models: [],
  compressions: 0,
  messages: { live: 0, rewound: 0, rewritten: 0 },
  toolCalls: { total: 0, success: 0, error: 0, cancelled: 0 },
  tokens: { input: null, cached: null, output: null, thoughts: null, tool: null, total: null },
} satisfies Partial<SessionSummary>;
