import type {
  RequestRole,
  TrueCall,
  TrueOutcome,
  TrueRequest,
  TrueTokens,
  Truth,
} from "./known-run.ts";

/** The fields of a Claude Code `truth.json` that tests read. */
export interface RecordedTruth {
  version: string;
  scenario: string;
  description: string;
  project: string;
  prompts: string[];
  notes: string[];
  usageByModel: Record<string, RecordedSums>;
  usageByKind: Record<string, RecordedSums>;
  usageConversationByModel: Record<string, RecordedSums>;
  requests: RecordedRequest[];
  toolCalls: RecordedCall[];
  files: { path: string; bytes: number }[];
}

interface RecordedCall {
  seq: number;
  kind: string;
  id: string;
  name: string;
  outcome: string;
  result?: string;
}

interface RecordedSums {
  requests: number;
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
  ephemeral_5m_input_tokens: number;
  ephemeral_1h_input_tokens: number;
}

interface RecordedUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  output_tokens: number;
}

interface RecordedRequest {
  seq: number;
  at: string;
  kind: string;
  model: string;
  /** The answering model, if it differs from the requested one. */
  answeredAs?: string;
  messageId: string;
  sent: string[];
  answer?: { thinking?: string[]; text?: string | string[] };
  status: string;
  usage?: RecordedUsage;
  sentUsage?: RecordedUsage;
}

const ROLES: Record<string, RequestRole> = {
  main: "conversation",
  subagent: "subagent",
  warmup: "warmup",
  compact: "compaction",
};

export function readClaudeTruth(recorded: RecordedTruth): Truth {
  const { version, scenario, description, project, notes, files } = recorded;
  return {
    version,
    scenario,
    description,
    project,
    notes,
    files,
    typed: recorded.prompts,
    // The scenario marks pictures and piped text at the end of their prompt.
    prompts: recorded.prompts
      .filter((prompt) => !/^[/!]/.test(prompt))
      .map((prompt) => prompt.replace(/ <(image|stdin)>$/, "")),
    requests: recorded.requests.map(requestOf),
    toolCalls: recorded.toolCalls.map(callOf),
  };
}

function roleOf(kind: string): RequestRole {
  return ROLES[kind] ?? "helper";
}

function requestOf(request: RecordedRequest): TrueRequest {
  const { answer, usage, sentUsage } = request;
  return {
    seq: request.seq,
    role: roleOf(request.kind),
    kind: request.kind,
    model: request.answeredAs ?? request.model,
    at: request.at,
    replyId: request.messageId,
    isComplete: request.status === "complete",
    ...(usage ? { tokens: tokensOf(usage) } : {}),
    ...(sentUsage ? { brokenOffTokens: tokensOf(sentUsage) } : {}),
    sent: request.sent,
    texts: [answer?.text ?? []].flat(),
    thoughts: answer?.thinking ?? [],
  };
}

/** The API counts fresh input, cache writes and cache reads separately, thoughts as output. */
function tokensOf(usage: RecordedUsage): TrueTokens {
  const { cache_creation: split } = usage;
  const input =
    usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  return {
    input,
    cached: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
    cacheWrite5m: split?.ephemeral_5m_input_tokens ?? null,
    cacheWrite1h: split?.ephemeral_1h_input_tokens ?? null,
    output: usage.output_tokens,
    thoughts: null,
    tool: 0,
    total: input + usage.output_tokens,
  };
}

/** What the program sends to the API when the user stopped or refused a call. */
const STOPPED = /\[Request interrupted by user for tool use\]|^The user doesn't want to proceed/;

/** The API gets an error for every failed call; only the text shows that the user stopped it. */
function outcomeOf({ outcome, result = "" }: RecordedCall): TrueOutcome {
  if (outcome === "ok") return "ok";
  if (outcome !== "error") return "none";
  return STOPPED.test(result) ? "cancelled" : "error";
}

function callOf(call: RecordedCall): TrueCall {
  const { seq, kind, id, name, result } = call;
  const back = result === undefined ? {} : { result };
  return { id, name, seq, role: roleOf(kind), outcome: outcomeOf(call), ...back };
}
