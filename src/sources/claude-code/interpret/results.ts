import type { ToolCall, ToolOutcome } from "../../../core/session/tool-call.ts";
import type { ResultRecord, TaskNotification } from "../content.ts";

export interface ResultContext {
  at: string | undefined;
  agentSession: (agentId: string) => string;
}

/** Adds a result to its call. */
export function addResult(call: ToolCall, result: ResultRecord, context: ResultContext): void {
  const { outcome, status, output, display, spillPath } = result;
  call.output = output;
  if (context.at !== undefined) call.at = context.at;
  if (display) call.display = display;
  if (result.agentId !== undefined) call.agentId = context.agentSession(result.agentId);
  if (spillPath !== undefined) {
    call.isCut = true;
    call.spill = { path: spillPath, isFound: false };
  }
  if (result.isLaunch === true) {
    // A notification later reports how a background agent ended.
    call.status = "launched";
    delete call.outcome;
  } else {
    call.outcome = outcome;
    if (status === undefined) delete call.status;
    else call.status = status;
  }
  addTouched(call, result.touched);
}

function addTouched(call: ToolCall, touched: ResultRecord["touched"]): void {
  const [file, ...others] = call.files ?? [];
  if (!file || !touched) return;
  call.files = [{ path: file.path, how: file.how, ...touched }, ...others];
}

const OUTCOMES: ReadonlyMap<string, ToolOutcome> = new Map<string, ToolOutcome>([
  ["completed", "success"],
  ["failed", "error"],
  ["error", "error"],
  ["killed", "cancelled"],
  ["stopped", "cancelled"],
  ["cancelled", "cancelled"],
]);

/**
 * Adds the end of a background agent to its call. A resume that finds an agent without an end
 * (2.1.325) names the agent, but not the call.
 */
export function addNotification(
  calls: ReadonlyMap<string, ToolCall>,
  { callId, taskId, status = "", result }: TaskNotification,
  { at, agentSession }: ResultContext,
): void {
  const agentId = taskId === undefined ? undefined : agentSession(taskId);
  const call =
    callId === undefined
      ? [...calls.values()].find((other) => agentId !== undefined && other.agentId === agentId)
      : calls.get(callId);
  if (!call || call.status !== "launched") return;
  const outcome = OUTCOMES.get(status);
  if (!outcome) return;
  call.outcome = outcome;
  call.status = status;
  if (result !== undefined) call.output = result;
  if (at !== undefined) call.at = at;
}
