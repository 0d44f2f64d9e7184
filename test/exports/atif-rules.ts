/**
 * The rules of ATIF v1.7 that a trajectory can break: fields, numbering, fields for agent steps
 * only, references between calls and results, embedded trajectories, and sums.
 */
export interface Json {
  [key: string]: unknown;
}

const ROOT = words(
  "schema_version session_id trajectory_id agent steps notes final_metrics " +
    "continued_trajectory_ref extra subagent_trajectories",
);
const STEP = words(
  "step_id timestamp source model_name reasoning_effort message reasoning_content tool_calls " +
    "observation metrics is_copied_context llm_call_count extra",
);
const AGENT_ONLY = words("model_name reasoning_effort reasoning_content tool_calls metrics");
const CALL = words("tool_call_id function_name arguments extra");
const RESULT = words("source_call_id content subagent_trajectory_ref extra");
const METRICS = words("prompt_tokens completion_tokens cached_tokens cost_usd extra");
const TOTALS = words(
  "total_prompt_tokens total_completion_tokens total_cached_tokens total_cost_usd " +
    "total_steps extra",
);

function words(text: string): Set<string> {
  return new Set(text.split(" "));
}

export function atifProblems(trajectory: Json, at = "$"): string[] {
  const steps = listOf(trajectory["steps"]);
  const children = listOf(trajectory["subagent_trajectories"]);
  const ids = children.map((child) => child["trajectory_id"]);
  const agent = (trajectory["agent"] ?? {}) as Json;
  return [
    ...unknownKeys(trajectory, ROOT, at),
    ...unless(trajectory["schema_version"] === "ATIF-v1.7", `${at}.schema_version`),
    ...unless(isText(agent["name"]) && isText(agent["version"]), `${at}.agent`),
    ...unless(steps.length > 0, `${at}.steps: none`),
    ...steps.flatMap((step, index) => stepProblems(step, index, { at, ids })),
    ...totalProblems(trajectory, steps, at),
    ...unless(ids.every(isText) && new Set(ids).size === ids.length, `${at}: embedded ids`),
    ...children.flatMap((child, index) => atifProblems(child, `${at}.subagent[${index}]`)),
  ];
}

function stepProblems(step: Json, index: number, scope: { at: string; ids: unknown[] }): string[] {
  const at = `${scope.at}.steps[${index}]`;
  const calls = listOf(step["tool_calls"]);
  const results = listOf((step["observation"] as Json | undefined)?.["results"]);
  const called = new Set(calls.map((call) => call["tool_call_id"]));
  const isAgent = step["source"] === "agent";
  const metrics = step["metrics"] as Json | undefined;
  const dispatch = step["llm_call_count"] === 0;
  return [
    ...unknownKeys(step, STEP, at),
    ...unless(step["step_id"] === index + 1, `${at}.step_id`),
    ...unless(["system", "user", "agent"].includes(String(step["source"])), `${at}.source`),
    ...unless(isText(step["message"]), `${at}.message`),
    ...unless(isTime(step["timestamp"]), `${at}.timestamp`),
    ...Object.keys(step)
      .filter((key) => !isAgent && AGENT_ONLY.has(key))
      .map((key) => `${at}.${key}: agents only`),
    ...unless(!dispatch || (!metrics && !step["reasoning_content"]), `${at}: no model was asked`),
    ...unless(called.size === calls.length, `${at}: a call id twice`),
    ...calls.flatMap((call) => [
      ...unknownKeys(call, CALL, at),
      ...unless(isText(call["tool_call_id"]) && isText(call["function_name"]), `${at}: call`),
      ...unless(isObject(call["arguments"]), `${at}: arguments`),
    ]),
    ...results.flatMap((result) => [
      ...unknownKeys(result, RESULT, at),
      ...unless(called.has(result["source_call_id"]), `${at}: an answer to no call`),
      ...listOf(result["subagent_trajectory_ref"]).flatMap((ref) =>
        unless(scope.ids.includes(ref["trajectory_id"]), `${at}: a reference to nothing`),
      ),
    ]),
    ...(metrics ? metricProblems(metrics, at) : []),
  ];
}

function metricProblems(metrics: Json, at: string): string[] {
  const { extra: _free, ...counts } = metrics;
  const cached = Number(metrics["cached_tokens"]);
  return [
    ...unknownKeys(metrics, METRICS, at),
    ...unless(Object.values(counts).every(Number.isInteger), `${at}.metrics: not whole`),
    ...unless(cached <= Number(metrics["prompt_tokens"]), `${at}.metrics: cached above prompt`),
  ];
}

function totalProblems(trajectory: Json, steps: Json[], at: string): string[] {
  const totals = (trajectory["final_metrics"] ?? {}) as Json;
  const sum = (key: string): number =>
    steps.reduce((total, step) => total + Number((step["metrics"] as Json)?.[key] ?? 0), 0);
  return [
    ...unknownKeys(totals, TOTALS, at),
    ...unless(totals["total_steps"] === steps.length, `${at}: total_steps`),
    ...unless(totals["total_prompt_tokens"] === sum("prompt_tokens"), `${at}: prompt total`),
    ...unless(totals["total_completion_tokens"] === sum("completion_tokens"), `${at}: completion`),
    ...unless(totals["total_cached_tokens"] === sum("cached_tokens"), `${at}: cached total`),
  ];
}

function unless(isRight: boolean, problem: string): string[] {
  return isRight ? [] : [problem];
}

function unknownKeys(object: Json, known: Set<string>, at: string): string[] {
  return Object.keys(object)
    .filter((key) => !known.has(key))
    .map((key) => `${at}.${key}: unknown`);
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): boolean {
  return value === undefined || (isText(value) && /^\d{4}-\d\d-\d\dT.*Z$/.test(value));
}
