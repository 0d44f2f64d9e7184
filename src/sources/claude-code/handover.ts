import { join } from "node:path";
import type {
  Conversation,
  ConversationItem,
  HandoverCall,
  Picture,
} from "../../core/session/conversation.ts";
import { instantOf } from "../../core/instant.ts";
import type { Json } from "../decoding/fields.ts";
import { jsonLines } from "../decoding/handover-records.ts";
import { projectSlug } from "../decoding/project-slug.ts";
import type { HandoverAbility, HandoverRequest } from "../source.ts";

/** A version whose format both old and new versions read. */
const WRITER = "2.0.77";

/** Writes a session that Claude Code lists under its title and resumes with all of its calls. */
export const handover: HandoverAbility = {
  program: { command: "claude", packageName: "@anthropic-ai/claude-code" },
  since: "2.0.77",
  plan(conversation, request) {
    const { newId, root } = request;
    const folder = join(root, "projects", projectSlug(conversation.directory));
    const records = new Records(conversation, request).make();
    return {
      sessionId: newId,
      file: { path: join(folder, `${newId}.jsonl`), text: jsonLines(records) },
      command: ["claude", "--resume", newId],
      remarks: [
        "Claude Code deletes sessions after 30 days without use, including this one.",
        ...(conversation.items.some(isDropped)
          ? [
              "Claude Code does not send answers that say only “(no content)”; nothing else is lost.",
            ]
          : []),
      ],
    };
  },
};

/** 2.1.325 itself uses this text for an empty answer, and drops it. */
function isDropped(item: ConversationItem): boolean {
  return item.kind === "answer" && item.calls.length === 0 && item.text.trim() === "(no content)";
}

/** Builds a chain of records: without parents only the last message would be sent. */
class Records {
  readonly #conversation: Conversation;
  readonly #request: HandoverRequest;
  readonly #records: Json[] = [];
  #parent: string | null = null;

  constructor(conversation: Conversation, request: HandoverRequest) {
    this.#conversation = conversation;
    this.#request = request;
  }

  make(): Json[] {
    for (const item of this.#conversation.items) this.#add(item);
    this.#spreadTimes();
    const { title } = this.#conversation;
    const { newId: sessionId } = this.#request;
    // Without a summary, old versions ask a model for a title.
    this.#records.push({ type: "summary", summary: title, leafUuid: this.#parent });
    this.#records.push({ type: "custom-title", customTitle: title, sessionId });
    return this.#records;
  }

  /**
   * Makes times unique: 2.0.77 continues from the latest record; if several share that time, from
   * the first of them.
   */
  #spreadTimes(): void {
    let nextMs = Infinity;
    for (const record of this.#records.toReversed()) {
      nextMs = Math.min(instantOf(String(record["timestamp"])), nextMs - 1);
      record["timestamp"] = new Date(nextMs).toISOString();
    }
  }

  #add(item: ConversationItem): void {
    if (item.kind === "summary") return this.#addSummary(item.text, item.at);
    if (item.kind === "prompt") {
      const text = inert(item.text);
      const content = item.pictures.length === 0 ? text : contentOf({ ...item, text });
      this.#record("user", item.at, { message: { role: "user", content } });
      return;
    }
    const answer = this.#addAnswer(item);
    for (const call of item.calls) this.#addResult(call, answer, item.at);
  }

  #addSummary(text: string, at: string): void {
    this.#parent = null;
    this.#record("system", at, {
      subtype: "compact_boundary",
      content: "Conversation compacted",
      level: "info",
      compactMetadata: { trigger: "manual", preTokens: 0 },
    });
    const content = `This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\n${text}`;
    const message = { role: "user", content };
    this.#record("user", at, { message, isCompactSummary: true, isVisibleInTranscriptOnly: true });
  }

  #addAnswer({ text, calls, at }: Extract<ConversationItem, { kind: "answer" }>): string {
    const texts = text.trim() === "" ? [] : [{ type: "text", text }];
    const uses = calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
    const message = {
      id: `msg_${this.#request.uuid().replaceAll("-", "")}`,
      type: "message",
      role: "assistant",
      // Answers of this model are sent, but the model is not restored and their usage is not
      // counted.
      model: "<synthetic>",
      content: [...texts, ...uses],
      stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    };
    return this.#record("assistant", at, { message });
  }

  #addResult({ id, output, isError, pictures }: HandoverCall, answer: string, at: string): void {
    const content =
      pictures.length === 0
        ? output
        : [{ type: "text", text: output }, ...pictures.map(pictureBlock)];
    const result = { tool_use_id: id, type: "tool_result", content };
    const block = isError ? { ...result, is_error: true } : result;
    this.#record("user", at, {
      message: { role: "user", content: [block] },
      toolUseResult: output,
      sourceToolAssistantUUID: answer,
    });
  }

  #record(type: string, timestamp: string, fields: Json): string {
    const uuid = this.#request.uuid();
    this.#records.push({
      parentUuid: this.#parent,
      isSidechain: false,
      userType: "external",
      cwd: this.#conversation.directory,
      sessionId: this.#request.newId,
      version: WRITER,
      gitBranch: this.#conversation.branch ?? "",
      type,
      ...fields,
      uuid,
      timestamp,
    });
    this.#parent = uuid;
    return uuid;
  }
}

/** Typed text with such an opening would be taken for a mark of Claude Code's own. */
const MARK =
  /^\s*(?:<[a-z][\w-]*>|\[Request interrupted|This session is being continued|Caveat:|Stop hook|Warmup)/;

function inert(text: string): string {
  return MARK.test(text) ? `(typed) ${text}` : text;
}

function contentOf({ text, pictures }: { text: string; pictures: readonly Picture[] }): Json[] {
  const texts = text.trim() === "" ? [] : [{ type: "text", text }];
  return [...texts, ...pictures.map(pictureBlock)];
}

function pictureBlock({ mediaType, data }: Picture): Json {
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}
