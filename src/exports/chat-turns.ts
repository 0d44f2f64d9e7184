import type { Message } from "../core/message.ts";
import type { Session } from "../core/session.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { stableHex } from "./stable-ids.ts";

/** A conversation as chat formats know it: who speaks, and calls with their answers. */
export type ChatTurn =
  | { role: "user"; text: string }
  | { role: "model"; text: string; calls: ChatCall[] };

export interface ChatCall {
  id: string;
  name: string;
  args: object;
  output: string;
  isError: boolean;
}

/** Formats demand an answer to every call; some were never recorded. */
export const NO_RESULT = "[no result was recorded]";

/** The live conversation, as the model was given it; what was taken back is not a part of it. */
export function* chatTurnsOf(session: Session): Generator<ChatTurn> {
  const ids = new UniqueIds();
  for (const message of session.messages) {
    if (message.standing !== "live" || message.author === "notice") continue;
    if (message.author === "user") {
      if (message.text.trim() !== "") yield { role: "user", text: message.text };
      else if (message.attachments.length > 0) yield { role: "user", text: attached(message) };
      continue;
    }
    const calls = message.toolCalls.map((call) => chatCall(call, ids));
    if (message.text.trim() === "" && calls.length === 0) continue;
    yield { role: "model", text: message.text, calls };
  }
}

function attached({ attachments }: Message): string {
  return attachments.map(({ mediaType }) => `[attachment: ${mediaType}]`).join("\n");
}

function chatCall(call: ToolCall, ids: UniqueIds): ChatCall {
  return {
    id: ids.take(call.id),
    name: call.name,
    args: argsObject(call.args),
    output: call.output ?? NO_RESULT,
    isError: call.outcome === "error" || call.outcome === "cancelled",
  };
}

/** Arguments are an object everywhere but in damaged records. */
export function argsObject(args: unknown): object {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? args : { value: args };
}

/** What the strictest of the chat interfaces takes. */
const LONGEST_ID = 40;

/** Ids that others accept: letters, digits, `_` and `-`, none twice, the same on every run. */
export class UniqueIds {
  readonly #taken = new Set<string>();

  take(recorded: string): string {
    const plain = recorded.replace(/[^A-Za-z0-9_-]/g, "_") || "call";
    let id = plain.length <= LONGEST_ID ? plain : shortened(plain, recorded);
    for (let number = 2; this.#taken.has(id); number += 1) {
      id = shortened(plain, `${recorded} ${number}`);
    }
    this.#taken.add(id);
    return id;
  }
}

/** Its beginning, and digits that are made from all of it. */
function shortened(plain: string, words: string): string {
  const digits = stableHex(12, words);
  return `${plain.slice(0, LONGEST_ID - digits.length - 1)}-${digits}`;
}
