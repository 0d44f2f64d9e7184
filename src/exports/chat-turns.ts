import type { Message } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import type { ToolCall } from "../core/session/tool-call.ts";
import { stableHex } from "./stable-ids.ts";
import { isObject } from "../core/json.ts";

/** A conversation in the structure of chat APIs: roles, and calls with their results. */
export type ChatTurn =
  | { role: "user"; text: string }
  | { role: "model"; text: string; calls: ChatCall[] };

interface ChatCall {
  id: string;
  name: string;
  args: object;
  output: string;
  isError: boolean;
}

/** Chat formats require a result for every call, but some were never recorded. */
const NO_RESULT = "[no result was recorded]";

/** The live conversation as sent to the model, without rewound messages. */
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

/** Arguments are always an object, except in damaged records. */
export function argsObject(args: unknown): object {
  return isObject(args) ? args : { value: args };
}

/** The limit of the strictest chat API. */
const LONGEST_ID = 40;

/** Ids that all chat APIs accept: letters, digits, `_` and `-`, unique, and stable between runs. */
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

/** The beginning of the id, plus digits from a hash of the whole id. */
function shortened(plain: string, words: string): string {
  const digits = stableHex(12, words);
  return `${plain.slice(0, LONGEST_ID - digits.length - 1)}-${digits}`;
}
