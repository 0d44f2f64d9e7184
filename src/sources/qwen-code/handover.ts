import { join } from "node:path";
import type {
  Conversation,
  ConversationItem,
  HandoverCall,
} from "../../core/session/conversation.ts";
import { SUMMARY_ACKNOWLEDGEMENT } from "../../core/session/conversation.ts";
import type { Json } from "../decoding/fields.ts";
import { jsonLines, picturePart, stateSnapshot } from "../decoding/handover-records.ts";
import type { HandoverAbility, HandoverRequest } from "../source.ts";
import { slugOf } from "./names.ts";
import { readUserText } from "./formats/user-text.ts";

/** The recorded version, if the installed one is unknown. */
const WRITER = "0.24.4";

/** Writes a session that Qwen Code lists under its title and resumes with all of its calls. */
export const handover: HandoverAbility = {
  program: { command: "qwen", packageName: "@qwen-code/qwen-code" },
  since: "0.24",
  plan(conversation, request) {
    const { newId, root, platform } = request;
    const { directory } = conversation;
    const slug = slugOf(directory, platform);
    const records = new Records(conversation, request).make();
    return {
      sessionId: newId,
      file: {
        path: join(root, "projects", slug, "chats", `${newId}.jsonl`),
        text: jsonLines(records),
      },
      command: ["qwen", "--resume", newId],
      remarks: ["A model without image input gets a note instead of each image."],
    };
  },
};

/** Builds a chain of records. A record without a directory would hide all others from the list. */
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
    const { items, title } = this.#conversation;
    for (const item of items) this.#add(item);
    const last = items.at(-1)?.at ?? new Date(this.#request.nowMs).toISOString();
    const systemPayload = { customTitle: title, titleSource: "manual" };
    this.#record("system", last, { subtype: "custom_title", systemPayload });
    return this.#records;
  }

  #add(item: ConversationItem): void {
    if (item.kind === "summary") return this.#addSummary(item.text, item.at);
    if (item.kind === "prompt") {
      const parts = [...textParts(asTyped(item.text)), ...item.pictures.map(picturePart)];
      this.#record("user", item.at, { message: { role: "user", parts } });
      return;
    }
    const calls = item.calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }));
    const message = { role: "model", parts: [...textParts(item.text), ...calls] };
    this.#record("assistant", item.at, { message });
    for (const call of item.calls) this.#addResult(call, item.at);
  }

  #addResult({ id, name, output, isError, pictures }: HandoverCall, at: string): void {
    const response = isError ? { error: output } : { output };
    const result = { functionResponse: { id, name, response } };
    const parts = [result, ...pictures.map(picturePart)];
    const status = isError ? "error" : "success";
    const toolCallResult = { callId: id, status, resultDisplay: "" };
    this.#record("tool_result", at, { message: { role: "user", parts }, toolCallResult });
  }

  #addSummary(text: string, at: string): void {
    const compressedHistory = [
      { role: "user", parts: [{ text: stateSnapshot(text) }] },
      { role: "model", parts: [{ text: SUMMARY_ACKNOWLEDGEMENT }] },
    ];
    const info = { originalTokenCount: 0, newTokenCount: 0, compressionStatus: 1 };
    const systemPayload = { info, compressedHistory };
    this.#record("system", at, { subtype: "chat_compression", systemPayload });
  }

  #record(type: string, timestamp: string, fields: Json): void {
    const uuid = this.#request.uuid();
    this.#records.push({
      uuid,
      parentUuid: this.#parent,
      sessionId: this.#request.newId,
      timestamp,
      type,
      cwd: this.#conversation.directory,
      version: this.#request.version ?? WRITER,
      ...fields,
    });
    this.#parent = uuid;
  }
}

/** Marks typed text that looks like one of Qwen Code's own texts. */
function asTyped(text: string): string {
  const isTyped = readUserText([text]).typed.trim() === text.trim();
  return isTyped ? text : `(typed) ${text}`;
}

function textParts(text: string): Json[] {
  return text.trim() === "" ? [] : [{ text }];
}
