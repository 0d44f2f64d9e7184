import type {
  RequestRole,
  TrueCall,
  TrueOutcome,
  TrueRequest,
  TrueTokens,
  Truth,
} from "./known-run.ts";

/** The fields of a Gemini CLI `truth.json` that tests read. */
export interface RecordedTruth {
  version: string;
  scenario: string;
  description: string;
  project: string;
  prompts: string[];
  notes: string[];
  usageByModel: Record<string, RecordedUsage & { requests: number }>;
  answers: { seq: number; text: string; completed: boolean }[];
  requests: RecordedRequest[];
  toolCalls: Record<string, RecordedOutcomes>;
  toolOutcomes: { id: string; name: string; outcome: string; head: string }[];
  files: { path: string; bytes: number }[];
}

export interface RecordedUsage {
  prompt: number;
  cached: number;
  candidates: number;
  thoughts: number;
  tool: number;
  total: number;
}

export type RecordedOutcomes = Record<"sent" | "ok" | "error" | "cancelled", number>;

interface RecordedRequest {
  seq: number;
  at: string;
  kind: string;
  model?: string;
  completed?: boolean;
  usage?: RecordedUsage;
  callsSent?: { name: string }[];
}

const ROLES: Record<string, RequestRole> = {
  main: "conversation",
  subagent: "subagent",
  compress: "compaction",
  compress_verify: "compaction",
};

export function readGeminiTruth(recorded: RecordedTruth): Truth {
  const { version, scenario, description, project, notes, files } = recorded;
  const texts = new Map(recorded.answers.map(({ seq, text }) => [seq, text]));
  return {
    version,
    scenario,
    description,
    project,
    notes,
    files,
    typed: recorded.prompts,
    prompts: recorded.prompts.filter((prompt) => !/^[/!]/.test(prompt)),
    requests: recorded.requests.map((request) => requestOf(request, texts.get(request.seq))),
    toolCalls: callsOf(recorded),
  };
}

function roleOf(kind: string): RequestRole {
  return ROLES[kind] ?? "helper";
}

function requestOf(request: RecordedRequest, text: string | undefined): TrueRequest {
  const { usage } = request;
  return {
    seq: request.seq,
    role: roleOf(request.kind),
    kind: request.kind,
    model: request.model ?? "",
    at: request.at,
    isComplete: request.completed ?? false,
    ...(usage ? { tokens: tokensOf(usage) } : {}),
    sent: [],
    texts: text === undefined ? [] : [text],
    thoughts: [],
  };
}

/** Cached input is part of the prompt; thoughts and tool prompts are counted separately. */
function tokensOf({
  prompt,
  cached,
  candidates,
  thoughts,
  tool,
  total,
}: RecordedUsage): TrueTokens {
  const cacheWrite = { cacheWrite: null, cacheWrite5m: null, cacheWrite1h: null };
  return { input: prompt, cached, ...cacheWrite, output: candidates, thoughts, tool, total };
}

/**
 * The API gives calls no ids; results have ids of the program. So results are matched by name in
 * their order, and a call without a result has no outcome. A resumed history sends results again,
 * with the tool's name as another prefix of the id.
 */
function callsOf({ requests, toolOutcomes }: RecordedTruth): TrueCall[] {
  const results = new Map<string, RecordedTruth["toolOutcomes"]>();
  const seen = new Set<string>();
  for (const result of toolOutcomes) {
    const id = withoutPrefix(result.id, result.name);
    if (seen.has(id)) continue;
    seen.add(id);
    results.set(result.name, [...(results.get(result.name) ?? []), { ...result, id }]);
  }
  return requests.flatMap(({ seq, kind, callsSent = [] }) =>
    callsSent.map(({ name }, at): TrueCall => {
      const result = results.get(name)?.shift();
      return {
        id: result?.id ?? `${seq}-${at}`,
        name,
        seq,
        role: roleOf(kind),
        outcome: (result?.outcome ?? "none") as TrueOutcome,
        ...(result ? { result: result.head } : {}),
      };
    }),
  );
}

function withoutPrefix(id: string, name: string): string {
  return id.startsWith(`${name}__`) ? withoutPrefix(id.slice(name.length + 2), name) : id;
}
