import { join } from "node:path";
import type {
  Conversation,
  ConversationItem,
  HandoverCall,
  Picture,
} from "../../core/session/conversation.ts";
import { sizeOfItems } from "../../core/session/conversation.ts";
import type { Json } from "../decoding/fields.ts";
import { jsonLines } from "../decoding/handover-records.ts";
import type { HandoverAbility, HandoverRequest } from "../source.ts";

/** The older format, which all versions since then read. */
const WRITER = "0.130.0";

/** Writes a thread that Codex lists under its title and resumes with all of its calls. */
export const handover: HandoverAbility = {
  program: { command: "codex", packageName: "@openai/codex" },
  since: "0.130",
  plan(conversation, request) {
    const { newId, root, nowMs } = request;
    const local = localTime(request, nowMs);
    const name = `rollout-${local.slice(0, 19).replaceAll(":", "-")}-${newId}.jsonl`;
    const lines = new Rollout(conversation, request).make();
    const entry = {
      id: newId,
      thread_name: conversation.title,
      updated_at: new Date(nowMs).toISOString(),
    };
    return {
      sessionId: newId,
      file: {
        path: join(root, "sessions", ...local.slice(0, 10).split("-"), name),
        text: jsonLines(lines),
      },
      appends: [{ path: join(root, "session_index.jsonl"), line: JSON.stringify(entry) }],
      command: ["codex", "resume", newId],
      remarks: [
        "If Codex already has sessions, its picker lists this one only after it was resumed.",
        ...(sizeOfItems(conversation.items) > WINDOW / 2
          ? ["If the conversation does not fit into its context window, Codex summarises it first."]
          : []),
      ],
    };
  },
};

/** The context window that Codex assumes, in tokens. */
const WINDOW = 258_400;

/** Folders and file names use local time. */
function localTime({ localOffsetMinutes }: HandoverRequest, ms: number): string {
  return new Date(ms + localOffsetMinutes(ms) * 60_000).toISOString();
}

class Rollout {
  readonly #conversation: Conversation;
  readonly #request: HandoverRequest;
  readonly #lines: Json[] = [];
  #turn: string | undefined;

  constructor(conversation: Conversation, request: HandoverRequest) {
    this.#conversation = conversation;
    this.#request = request;
  }

  make(): Json[] {
    const { items, directory } = this.#conversation;
    const at = items[0]?.at ?? new Date(this.#request.nowMs).toISOString();
    this.#line(at, "session_meta", {
      id: this.#request.newId,
      timestamp: at,
      cwd: directory,
      originator: "codex_cli_rs",
      cli_version: WRITER,
      source: "cli",
      model_provider: "openai",
    });
    for (const item of items) this.#add(item);
    const last = items.at(-1)?.at ?? at;
    this.#endTurn(last);
    this.#addSize(last);
    return this.#lines;
  }

  /**
   * Codex summarises a large conversation first if its size is recorded; otherwise it sends all.
   */
  #addSize(at: string): void {
    const tokens = sizeOfItems(this.#conversation.items);
    if (tokens <= WINDOW / 2) return;
    // Nothing was paid here: a total without parts adds nothing to usage.
    const usage = {
      input_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
      reasoning_output_tokens: 0,
      total_tokens: tokens,
    };
    const info = {
      total_token_usage: usage,
      last_token_usage: usage,
      model_context_window: WINDOW,
    };
    this.#event(at, "token_count", { info, rate_limits: null });
  }

  #add(item: ConversationItem): void {
    if (item.kind === "summary") return this.#addSummary(item.text, item.at);
    if (item.kind === "prompt") return this.#addPrompt(item);
    const { at, text } = item;
    if (text.trim() !== "") {
      const content = [{ type: "output_text", text }];
      this.#line(at, "response_item", { type: "message", role: "assistant", content });
      this.#event(at, "agent_message", { message: text });
    }
    for (const { id, name, args } of item.calls) {
      const call = { type: "function_call", name, arguments: JSON.stringify(args), call_id: id };
      this.#line(at, "response_item", call);
    }
    for (const call of item.calls) this.#addOutput(call, at);
  }

  #addPrompt({ at, text, pictures }: Extract<ConversationItem, { kind: "prompt" }>): void {
    this.#endTurn(at);
    this.#turn = this.#request.uuid();
    const turn = { turn_id: this.#turn, model_context_window: WINDOW };
    this.#event(at, "task_started", turn);
    const content = [{ type: "input_text", text }, ...pictures.map(pictureItem)];
    this.#line(at, "response_item", { type: "message", role: "user", content });
    const images = pictures.map(dataUrl);
    this.#event(at, "user_message", { message: text, images, local_images: [], text_elements: [] });
  }

  #addOutput({ id, output, isError, pictures }: HandoverCall, at: string): void {
    // The format has no field for failure.
    const text = isError ? `[The call failed.]\n${output}` : output;
    const content =
      pictures.length === 0 ? text : [{ type: "input_text", text }, ...pictures.map(pictureItem)];
    this.#line(at, "response_item", { type: "function_call_output", call_id: id, output: content });
  }

  /** Codex sends exactly this history and what follows. */
  #addSummary(text: string, at: string): void {
    const content = [{ type: "input_text", text }];
    const replacement = [{ type: "message", role: "user", content }];
    this.#line(at, "compacted", { message: text, replacement_history: replacement });
  }

  #endTurn(at: string): void {
    if (this.#turn === undefined) return;
    this.#event(at, "task_complete", { turn_id: this.#turn, last_agent_message: null });
    this.#turn = undefined;
  }

  #event(at: string, type: string, payload: Json): void {
    this.#line(at, "event_msg", { type, ...payload });
  }

  #line(timestamp: string, type: string, payload: Json): void {
    this.#lines.push({ timestamp, type, payload });
  }
}

function dataUrl({ mediaType, data }: Picture): string {
  return `data:${mediaType};base64,${data}`;
}

function pictureItem(picture: Picture): Json {
  return { type: "input_image", image_url: dataUrl(picture) };
}
