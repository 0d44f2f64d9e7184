import type {
  RequestRole,
  TrueCall,
  TrueOutcome,
  TrueRequest,
  TrueTokens,
  Truth,
} from "./known-run.ts";

/** The fields of a Qwen Code `truth.json` that tests read. */
export interface RecordedTruth {
  version: string;
  scenario: string;
  description: string;
  authType: string;
  project: string;
  prompts: string[];
  notes: string[];
  usageTotal: RecordedSums;
  usageByModel: Record<string, RecordedSums>;
  usageByModelConversation: Record<string, RecordedSums>;
  usageByKind: Record<string, RecordedSums>;
  toolCalls: Record<string, { sent: number; answered: number }>;
  toolResponses: {
    id: string;
    name: string;
    kind: string;
    answered: boolean;
    head?: string;
  }[];
  requests: RecordedRequest[];
  files: { path: string; bytes: number }[];
}

interface RecordedUsage {
  prompt: number;
  cached?: number;
  completion: number;
  reasoning?: number;
  cacheWrite?: number;
  total: number;
}

interface RecordedSums {
  requests: number;
  prompt: number;
  cached: number;
  completion: number;
  reasoning: number;
  total: number;
}

interface RecordedRequest {
  seq: number;
  dialect: string;
  model: string;
  kind: string;
  completed: boolean;
  sent?: string[];
  text?: string;
  reasoning?: string;
  usage?: RecordedUsage;
  callsSent?: { id: string }[];
}

const ROLES: Record<string, RequestRole> = {
  main: "conversation",
  subagent: "subagent",
  compress: "compaction",
  memory: "memory",
};

export function readQwenTruth(recorded: RecordedTruth): Truth {
  const { version, scenario, description, project, notes, files } = recorded;
  const senders = new Map(
    recorded.requests.flatMap(({ seq, callsSent }) => (callsSent ?? []).map(({ id }) => [id, seq])),
  );
  return {
    version,
    scenario,
    description,
    project,
    notes,
    files,
    typed: recorded.prompts,
    prompts: recorded.prompts.filter((prompt) => !/^[/!]/.test(prompt)),
    requests: recorded.requests.map(requestOf),
    toolCalls: recorded.toolResponses.map((call) => callOf(call, senders.get(call.id) ?? 0)),
  };
}

function roleOf(kind: string): RequestRole {
  return ROLES[kind] ?? "helper";
}

function requestOf(request: RecordedRequest): TrueRequest {
  const { dialect, usage, text, reasoning } = request;
  return {
    seq: request.seq,
    role: roleOf(request.kind),
    kind: request.kind,
    model: request.model,
    isComplete: request.completed,
    ...(usage ? { tokens: tokensOf(usage, dialect) } : {}),
    sent: request.sent ?? [],
    texts: text === undefined ? [] : [text],
    thoughts: reasoning === undefined ? [] : [reasoning],
  };
}

/** Reasoning is part of the completion; the Anthropic dialect does not count it separately. */
function tokensOf(usage: RecordedUsage, dialect: string): TrueTokens {
  const { prompt, cached = 0, completion, total } = usage;
  const thoughts = dialect === "anthropic" ? null : (usage.reasoning ?? 0);
  return {
    input: prompt,
    cached,
    cacheWrite: usage.cacheWrite ?? null,
    cacheWrite5m: null,
    cacheWrite1h: null,
    output: completion - (thoughts ?? 0),
    thoughts,
    tool: 0,
    total,
  };
}

function callOf(call: RecordedTruth["toolResponses"][number], seq: number): TrueCall {
  const { id, name, kind, head } = call;
  const result = head === undefined ? {} : { result: head };
  return { id, name, seq, role: roleOf(kind), outcome: outcomeOf(call), ...result };
}

const FAILED = [
  /^File not found: |^params must |not found in registry|is disabled by default/,
  /that permission was declined|reported tool error/,
];

/** The API gets only a text. In every version a failed command has a non-zero exit code. */
function outcomeOf({ answered, head = "" }: RecordedTruth["toolResponses"][number]): TrueOutcome {
  // After a kill the program sends an invented result to the API and records none.
  if (!answered || head.startsWith("Tool execution result was not recorded")) return "none";
  if (head.startsWith("[Operation Cancelled]")) return "cancelled";
  const code = /^Exit Code: (\d+)/m.exec(head)?.[1];
  return FAILED.some((shape) => shape.test(head)) || (code !== undefined && code !== "0")
    ? "error"
    : "ok";
}
