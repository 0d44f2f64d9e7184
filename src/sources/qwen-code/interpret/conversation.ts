import { addAll } from "../../../core/lists.ts";
import type { Message, RecordedMessage } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { Compression } from "../../../core/session/session.ts";
import type { Entry } from "../content.ts";
import { CallIndex } from "./calls.ts";
import type { Tree } from "./tree.ts";

export interface Conversation {
  messages: Message[];
  compressions: Compression[];
  /** Recorded calls, by id. */
  calls: CallIndex;
  title?: string;
}

/** Builds the messages of a session; those still in the model's context are live. */
export function conversationOf(tree: Tree): Conversation {
  const fold = new Fold(tree);
  const calls = new CallIndex();
  let title: string | undefined;
  for (const entry of tree.entries) {
    if (entry.kind === "message") {
      const message = fold.add(entry, entry.message);
      if (entry.copyOf !== undefined) message.copyOf = entry.copyOf;
      if (message.isPrompt && isExpansion(entry, tree)) asExpansion(message);
      calls.add(message, entry.result);
    } else if (entry.kind === "compression") fold.compress(entry, entry.history);
    else if (entry.kind === "title") ({ title } = entry);
  }
  const { messages, compressions } = fold;
  return { messages, compressions, calls, ...optional("title", title) };
}

/** The record of a command, its result, and what it sends to the model. */
const COMMAND_STEPS = 2;

function isExpansion({ parentUuid }: Entry, { byId }: Tree): boolean {
  let parent = byId.get(parentUuid ?? "");
  for (let step = 0; parent && step < COMMAND_STEPS; step += 1) {
    if (parent.kind === "message" && parent.message.author !== "notice") return false;
    if (parent.kind === "message" && parent.isSent === true) return true;
    parent = byId.get(parent.parentUuid ?? "");
  }
  return false;
}

/** The command itself is a notice; its text for the model was not typed. */
function asExpansion(message: Message): void {
  message.isPrompt = false;
  delete message.typed;
  message.injections = [{ kind: "slash-command", text: message.text }, ...message.injections];
}

class Fold {
  messages: Message[] = [];
  readonly compressions: Compression[] = [];
  readonly #tree: Tree;
  #live: Message[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  add(entry: Entry, recorded: RecordedMessage): Message {
    const { standing, reason } = this.#tree.standingOf(entry);
    const copies = this.#tree.copies.get(entry.uuid) ?? [];
    const places = [entry.place, ...copies];
    const message: Message = { ...recorded, standing, ...optional("reason", reason), places };
    this.messages.push(message);
    if (standing === "live") this.#live.push(message);
    return message;
  }

  /**
   * Applies a compression. Old messages that the new history repeats stay live, the others do not;
   * new messages in it are inserted at their position.
   */
  compress(entry: Entry, history: readonly RecordedMessage[]): void {
    if (!this.#tree.way.has(entry.uuid)) return;
    const originals = new Originals(this.#live);
    const live: Message[] = [];
    let waiting: Message[] = [];
    for (const recorded of history) {
      const kept = originals.take(recorded);
      if (kept.length === 0) waiting.push(asMessage(recorded));
      else {
        this.#insert(waiting, kept[0]);
        addAll(live, [...waiting, ...kept]);
        waiting = [];
      }
    }
    this.#insert(waiting, undefined);
    addAll(live, waiting);
    for (const message of originals.left()) {
      message.standing = "rewritten";
      message.reason = "compression";
    }
    this.#live = live;
    const summary = history[0]?.id ?? entry.uuid;
    this.compressions.push({
      how: "summary",
      messageId: summary,
      ...optional("at", entry.at),
    });
  }

  #insert(added: readonly Message[], before: Message | undefined): void {
    if (added.length === 0) return;
    const found = before === undefined ? -1 : this.messages.indexOf(before);
    const at = found === -1 ? this.messages.length : found;
    this.messages = [...this.messages.slice(0, at), ...added, ...this.messages.slice(at)];
  }
}

function asMessage(recorded: RecordedMessage): Message {
  return { ...recorded, standing: "live", places: [recorded.place] };
}

/** Live messages before a compression, to be matched with its history. */
class Originals {
  readonly #bySignature = new Map<string, Message[]>();
  readonly #byResult = new Map<string, Message>();
  readonly #left: Set<Message>;

  constructor(live: readonly Message[]) {
    this.#left = new Set(live);
    for (const message of live) {
      const same = this.#bySignature.get(message.signature);
      if (same) same.push(message);
      else this.#bySignature.set(message.signature, [message]);
      for (const { callId } of message.results) {
        if (callId !== undefined) this.#byResult.set(callId, message);
      }
    }
  }

  /** An element of the history may hold the results of several records. */
  take(recorded: RecordedMessage): Message[] {
    const same = this.#bySignature.get(recorded.signature)?.pop();
    const found = same
      ? [same]
      : recorded.results.flatMap(({ callId }) => this.#byResult.get(callId ?? "") ?? []);
    const kept = [...new Set(found)].filter((message) => this.#left.has(message));
    for (const message of kept) this.#left.delete(message);
    return kept;
  }

  left(): Iterable<Message> {
    return this.#left;
  }
}
