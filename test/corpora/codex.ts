import type {
  RequestRole,
  TrueCall,
  TrueOutcome,
  TrueRequest,
  TrueTokens,
  Truth,
} from "./known-run.ts";

/** The fields of a Codex `truth.json` that tests read. */
export interface RecordedTruth {
  version: string;
  scenario: string;
  description: string;
  project: string;
  prompts: string[];
  notes: string[];
  usageByModel: Record<string, RecordedSums>;
  usageByKind: Record<string, RecordedSums>;
  usageByThread: Record<string, RecordedSums>;
  requests: RecordedRequest[];
  toolOutcomes: Record<string, RecordedCall>;
  /** Rows of the program's table of threads, if it has one. */
  stateThreads?: { id: string; title: string; name?: string | null; tokens_used: number }[];
  files: { path: string; bytes: number }[];
}

interface RecordedUsage {
  input: number;
  cached: number;
  output: number;
  reasoning: number;
  total: number;
}

interface RecordedSums extends RecordedUsage {
  requests: number;
}

interface RecordedRequest {
  seq: number;
  kind: string;
  time: string;
  model: string;
  headers: Record<string, string>;
  sent: string[];
  complete: boolean;
  responseId?: string;
  callsSent?: RecordedSent[];
  text?: string;
  reasoning?: string[];
  usage: RecordedUsage | null;
}

interface RecordedSent {
  id: string;
  namespace?: string;
  nested?: string;
}

interface RecordedCall {
  name: string;
  request: number;
  output: string | null;
}

export function readCodexTruth(recorded: RecordedTruth): Truth {
  const { version, scenario, description, project, notes, files } = recorded;
  const roles = new Map(recorded.requests.map(({ seq, kind }) => [seq, roleOf(kind)]));
  const sent = new Map(
    recorded.requests.flatMap(({ callsSent }) => (callsSent ?? []).map((call) => [call.id, call])),
  );
  return {
    version,
    scenario,
    description,
    project,
    notes,
    files,
    typed: recorded.prompts,
    // "(…)" describes an action of an editor or a review, not a prompt.
    prompts: recorded.prompts.filter((prompt) => !/^[/!(]/.test(prompt)),
    requests: recorded.requests.map(requestOf),
    toolCalls: Object.entries(recorded.toolOutcomes).map(([id, call]) => ({
      ...callOf(id, call, roles.get(call.request) ?? "conversation"),
      ...detailsOf(sent.get(id)),
    })),
  };
}

function roleOf(kind: string): RequestRole {
  if (kind === "main") return "conversation";
  if (kind === "compact") return "compaction";
  return kind.startsWith("sub") ? "subagent" : "helper";
}

function requestOf(request: RecordedRequest): TrueRequest {
  const { headers, responseId, usage, text } = request;
  const threadId = headers["thread-id"] ?? headers["thread_id"] ?? headers["session_id"];
  return {
    seq: request.seq,
    role: roleOf(request.kind),
    kind: request.kind,
    model: request.model,
    at: request.time,
    ...(responseId === undefined ? {} : { replyId: responseId }),
    ...(threadId === undefined ? {} : { threadId }),
    isComplete: request.complete,
    // The API log has counts for interrupted requests, which never reached the program.
    ...(usage && request.complete ? { tokens: tokensOf(usage) } : {}),
    ...(usage && !request.complete ? { brokenOffTokens: tokensOf(usage) } : {}),
    sent: request.sent,
    texts: text === undefined ? [] : [text],
    thoughts: request.reasoning ?? [],
  };
}

/** Cached input is part of the input, reasoning part of the output. */
function tokensOf({ input, cached, output, reasoning, total }: RecordedUsage): TrueTokens {
  return {
    input,
    cached,
    cacheWrite: null,
    cacheWrite5m: null,
    cacheWrite1h: null,
    output: output - reasoning,
    thoughts: reasoning,
    tool: 0,
    total,
  };
}

function callOf(id: string, { name, request, output }: RecordedCall, role: RequestRole): TrueCall {
  const result = output === null ? {} : { result: output };
  return { id, name, seq: request, role, outcome: outcomeOf(output), ...result };
}

function detailsOf(sent: RecordedSent | undefined): Pick<TrueCall, "namespace" | "inner"> {
  return {
    ...(sent?.namespace === undefined ? {} : { namespace: sent.namespace }),
    ...(sent?.nested === undefined ? {} : { inner: sent.nested }),
  };
}

const FAILED = [
  /^(unsupported call|error: |tool call error|failed to parse|failed in sandbox)/,
  /apply_patch verification failed|"isError":true|Script failed/,
];
const EXIT_CODE = /(?:\\?"exit_code\\?":|^Exit code: |^Process exited with code )(\d+)/m;

/**
 * The API gets only a text, so the outcome is derived from the patterns that the program writes.
 * In some versions a failed MCP call looks like a successful one, also in the API log.
 */
function outcomeOf(output: string | null): TrueOutcome {
  if (output === null) return "none";
  if (/^aborted|^Wall time: .*\naborted by user/.test(output)) return "cancelled";
  if (FAILED.some((shape) => shape.test(output))) return "error";
  const code = EXIT_CODE.exec(output)?.[1];
  return code === undefined || code === "0" ? "ok" : "error";
}
