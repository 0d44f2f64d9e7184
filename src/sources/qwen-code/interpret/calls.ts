import type { Message } from "../../../core/session/message.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import type { CallResult, ToolEvent } from "../content.ts";

/** The tool calls of a session with their outcomes. */
export class CallIndex {
  readonly #byId = new Map<string, ToolCall>();
  /** Calls of an API without call ids; matched by order. */
  readonly #unnamed: ToolCall[] = [];

  has(callId: string): boolean {
    return this.#byId.has(callId);
  }

  add(message: Message, result: CallResult | undefined): void {
    for (const call of message.toolCalls) {
      this.#byId.set(call.id, call);
      if (call.id.startsWith(`${message.id}#`)) this.#unnamed.push(call);
    }
    for (const response of message.results) {
      const callId = response.callId ?? result?.callId;
      const call = this.#find(callId, response.name);
      if (!call) continue;
      call.output ??= response.output;
      call.outcome ??= response.outcome;
      if (message.at !== undefined) call.at ??= message.at;
      if (result && (result.callId === undefined || result.callId === callId)) fill(call, result);
    }
  }

  /** Tells which server a tool belongs to; the call itself may have only the tool's name. */
  addServer({ name, mcp, category }: ToolCall): void {
    if (!mcp || mcp.tool !== name) return;
    for (const call of this.#byId.values()) {
      if (call.name === name && !call.mcp) Object.assign(call, { mcp, category });
    }
  }

  /** A call that was killed before its result was written may still have an event. */
  addEvent({ call: reported }: ToolEvent): void {
    const call = this.#byId.get(reported.id);
    if (!call) return;
    if (reported.outcome !== undefined) call.outcome ??= reported.outcome;
    if (reported.status !== undefined) call.status ??= reported.status;
    if (reported.at !== undefined) call.at ??= reported.at;
  }

  #find(callId: string | undefined, name: string | undefined): ToolCall | undefined {
    const known = callId === undefined ? undefined : this.#byId.get(callId);
    if (known) return known;
    const index = this.#unnamed.findIndex((call) => name === undefined || call.name === name);
    const [call] = index === -1 ? [] : this.#unnamed.splice(index, 1);
    if (call && callId !== undefined) {
      // Qwen Code assigned this id when it ran the call.
      call.id = callId;
      this.#byId.set(callId, call);
    }
    return call;
  }
}

function fill(call: ToolCall, { status, display, change, isCut }: CallResult): void {
  if (status !== undefined) call.status = status;
  if (display !== undefined) call.display = display;
  if (isCut === true) call.isCut = true;
  const [file] = call.files ?? [];
  if (!change || !file || file.how === "read") return;
  const { path, ...lines } = change;
  call.files = [{ ...file, ...lines, path: path === "" ? file.path : path }];
}
