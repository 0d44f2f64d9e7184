import type { SessionRows } from "../../src/core/rows/session-rows.ts";
import type { SessionWork } from "../../src/core/rows/session-work.ts";
import { NO_TOKENS } from "../../src/core/rows/summary.ts";
import type { TextPiece } from "../../src/core/session/text.ts";
import type { ToolFact } from "../../src/core/rows/tool-fact.ts";
import type { UsageFact } from "../../src/core/usage/usage-fact.ts";
import { sumFacts, sumSearches } from "../../src/core/usage/usage-facts.ts";

/** The root of invented files. */
export const ROOT = "/home/ada/.agent";
export const SOURCE = "agent";

export interface SessionSample {
  source?: string;
  root?: string;
  summary?: Partial<SessionRows["summary"]>;
  session?: Partial<SessionRows["session"]>;
  usage?: readonly UsageFact[];
  tools?: readonly ToolFact[];
  agentCalls?: SessionRows["agentCalls"];
}

/** Rows of an invented session in a separate file. */
export function sessionRows(id: string, sample: SessionSample): SessionRows {
  const { source = SOURCE, root = ROOT, usage = [], tools = [], agentCalls = [] } = sample;
  const startedAt = usage[0]?.at ?? "2026-05-01T08:00:00.000Z";
  const updatedAt = usage.at(-1)?.at ?? startedAt;
  const project = {
    name: "ledger",
    path: "/home/ada/ledger",
    hash: null,
    knownBy: "recorded",
  } as const;
  const file = {
    path: `${root}/${id}.jsonl`,
    format: "lines",
    part: "whole",
    sizeBytes: 10,
  } as const;
  const summary: SessionRows["summary"] = {
    id,
    source,
    project,
    kind: "main",
    parentId: null,
    parentCallId: null,
    title: `About ${id}`,
    startedAt,
    updatedAt,
    status: "success",
    prompts: 1,
    messages: { live: 2, rewound: 0, rewritten: 0 },
    toolCalls: { total: tools.length, success: tools.length, error: 0, cancelled: 0 },
    models: [...new Set(usage.flatMap(({ model }) => model ?? []))],
    tokens: usage.length === 0 ? NO_TOKENS : sumFacts(usage),
    isAtLeast: usage.some(({ isAtLeast }) => isAtLeast === true),
    webSearches: sumSearches(usage),
    compressions: 0,
    isImport: false,
    files: [file],
    goneSince: null,
    ...sample.summary,
  };
  return {
    summary,
    session: {
      id,
      source,
      ledgerName: source,
      kind: summary.kind,
      ...(summary.parentId === null ? {} : { parentId: summary.parentId }),
      project: { name: "ledger", path: "/home/ada/ledger", knownBy: "recorded" },
      startedAt,
      updatedAt,
      directories: [],
      compressions: [],
      isImport: summary.isImport,
      files: [{ ...file, root, role: "main", generation: "1", modifiedMs: 1, isCleaned: false }],
      ...sample.session,
    },
    usage,
    tools,
    agentCalls,
  };
}

/** The work of a session without calls. */
export function sessionWork(more: Partial<SessionWork> = {}): SessionWork {
  const nothing = { tools: [], repeats: [], undone: [], reads: [], compressions: [] };
  return { turns: [0, 0, 0, 0, 0, 0], replies: "", ...nothing, ...more };
}

/** A reply with 100 input and 10 output tokens. */
export function fact(sessionId: string, replyId: string, more: Partial<UsageFact> = {}): UsageFact {
  return {
    dedupKey: `${SOURCE}:${sessionId}:${replyId}`,
    replyId,
    messageId: replyId,
    sessionId,
    at: undefined,
    model: "small",
    standing: "live",
    reason: undefined,
    isAtLeast: undefined,
    purpose: undefined,
    tier: undefined,
    place: { file: `${ROOT}/${sessionId}.jsonl`, line: 1, start: 0, end: 10 },
    input: 100,
    fresh: 80,
    cached: 20,
    cacheWrite5m: null,
    cacheWrite1h: null,
    output: 10,
    thoughts: null,
    tool: null,
    total: 110,
    webSearches: null,
    remainder: 0,
    oddities: undefined,
    ...more,
  };
}

export function textPiece(
  messageId: string,
  text: string,
  more: Partial<TextPiece> = {},
): TextPiece {
  return {
    messageId,
    role: "prompt",
    standing: "live",
    atMs: Date.UTC(2026, 4, 1),
    texts: [text],
    places: [{ file: `${ROOT}/first.jsonl`, start: 0, end: 10 }],
    ...more,
  };
}
