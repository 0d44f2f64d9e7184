import { addAll } from "../../../core/lists.ts";
import type { Message } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import { messageOf } from "../formats/message.ts";
import type {
  AnswerNode,
  ContextNode,
  Node,
  NodeBase,
  RecordContent,
  UserNode,
} from "../content.ts";
import type { Branch } from "./branch.ts";
import type { Conversation } from "./conversations.ts";
import type { QueuedLine } from "./queued.ts";
import { addNotification, addResult } from "./results.ts";
import { isTyped, unrepeated } from "./queued.ts";
import { isLocalCaveat } from "../formats/user-text.ts";

export interface MessageContext {
  branch: Branch;
  inherited: ReadonlySet<Node>;
  /** Returns the session id of an agent, by the id in tool results. */
  agentSession: (agentId: string) => string;
}

/** Builds the messages of a conversation: one per answer, with the results of its calls. */
export function messagesOf(conversation: Conversation, context: MessageContext): Message[] {
  const building = new Building(conversation, context);
  for (const node of conversation.nodes) building.add(node);
  building.finish();
  return building.messages;
}

interface RecordedResults {
  node: Pick<UserNode, "at" | "results">;
  /** Absent for results within an answer. */
  message?: Message;
}

class Building {
  messages: Message[] = [];
  readonly #conversation: Conversation;
  readonly #context: MessageContext;
  readonly #answers = new Map<string, Message>();
  readonly #calls = new Map<string, ToolCall>();
  /** Messages by the uuid of each record that they show. */
  readonly #shownBy = new Map<string, Message>();
  readonly #byUuid = new Map<string, Node>();
  /** Results are added at the end: a quick tool's result may be written before its call. */
  readonly #results: RecordedResults[] = [];
  /** Context before the first user message. */
  #waiting: ContextNode[] = [];
  #lastUser: Message | undefined;

  constructor(conversation: Conversation, context: MessageContext) {
    this.#conversation = conversation;
    this.#context = context;
  }

  add(node: Node): void {
    this.#byUuid.set(node.uuid, node);
    if (node.kind === "user") this.#user(node);
    else if (node.kind === "answer") this.#answer(node);
    else if (node.kind === "context") this.#contextOf(node);
    else if (node.kind === "note" && node.words) {
      const { uuid, blocked } = node;
      if (blocked && isTyped(blocked.text ?? "")) {
        this.messages.push(notSentAgain({ ...node, uuid: `${uuid}-prompt` }, blocked));
      }
      this.#show(node, node.words);
    }
  }

  #show(node: Node, words: RecordContent): Message {
    const { standing, reason } = this.#context.branch.of(node);
    const places = [node.place, ...this.#repeats(node)];
    const message: Message = Object.assign(messageOf(node, words), { standing, places });
    if (reason) message.reason = reason;
    if (this.#context.inherited.has(node)) message.isInherited = true;
    this.messages.push(message);
    this.#shownBy.set(node.uuid, message);
    return message;
  }

  #repeats({ uuid }: Node): Place[] {
    return (this.#conversation.repeated.get(uuid) ?? []).map(({ place }) => place);
  }

  #user(node: UserNode): void {
    if (!node.words) return;
    const message = this.#show(node, node.words);
    message.injections = this.#injectionsOf(node, message);
    if (node.results.length > 0) this.#results.push({ node, message });
    if (message.author !== "user") return;
    this.#lastUser = message;
    for (const context of this.#waiting) addContext(message, context);
    this.#waiting = [];
  }

  /** The expansion of a custom command follows the record with its name. */
  #injectionsOf(node: UserNode, { injections }: Message): Message["injections"] {
    const parent = this.#byUuid.get(node.parent ?? "");
    const isExpansion = parent?.kind === "user" && parent.command !== undefined;
    return injections.map((injection) => {
      return isExpansion && injection.kind === "other"
        ? { ...injection, kind: "slash-command" }
        : injection;
    });
  }

  #answer(node: AnswerNode): void {
    if (!node.words) return;
    const isWords = node.synthetic === "error" || node.synthetic === "notice";
    const known = isWords ? undefined : this.#answers.get(node.answerId);
    const { standing } = this.#context.branch.of(node);
    if (known?.standing === standing) this.#merge(known, node);
    else {
      const message = this.#show(node, node.words);
      // A call that a resume dropped is a message of its own, next to the rest of its answer.
      if (!isWords && !known) message.id = message.signature = node.answerId;
      message.toolCalls = [];
      if (!isWords && !known) this.#answers.set(node.answerId, message);
      this.#addCalls(message, node);
    }
  }

  /** Adds another block to an existing answer. */
  #merge(message: Message, node: AnswerNode): void {
    const { text = "", thoughts = [], attachments = [], model } = node.words ?? {};
    this.#shownBy.set(node.uuid, message);
    message.text = [message.text, text].filter((block) => block !== "").join("\n");
    if (thoughts.length > 0) message.thoughts = [...message.thoughts, ...thoughts];
    if (attachments.length > 0) message.attachments = [...message.attachments, ...attachments];
    message.model ??= model;
    addAll(message.places, [node.place, ...this.#repeats(node)]);
    if (!this.#context.inherited.has(node)) delete message.isInherited;
    this.#addCalls(message, node);
  }

  #addCalls(message: Message, node: AnswerNode): void {
    if (node.results) this.#results.push({ node: { at: node.at, results: node.results } });
    for (const recorded of node.words?.toolCalls ?? []) {
      if (this.#calls.has(recorded.id) && message.toolCalls.some(({ id }) => id === recorded.id)) {
        continue;
      }
      const call: ToolCall = Object.assign({}, recorded);
      message.toolCalls.push(call);
      this.#calls.set(call.id, call);
    }
  }

  /** Adds context to the user message that it is attached to. */
  #contextOf(node: ContextNode): void {
    if (node.notice) this.#show(node, node.notice);
    const { queued = "" } = node;
    if (isTyped(queued)) {
      this.#show(node, { author: "user", text: queued, typed: queued, isPrompt: true });
    }
    if (!node.injection && !node.reference) return;
    const user = this.#userAbove(node) ?? this.#lastUser;
    if (user) addContext(user, node);
    else this.#waiting.push(node);
  }

  #userAbove(node: Node): Message | undefined {
    let parent = node.parent;
    for (let steps = 0; parent !== undefined && steps < 100; steps += 1) {
      const message = this.#shownBy.get(parent);
      if (message) return message.author === "user" ? message : undefined;
      parent = this.#byUuid.get(parent)?.parent;
    }
    return undefined;
  }

  #addResults({ node, message }: RecordedResults): void {
    const { agentSession } = this.#context;
    const results = node.results.map((result) => {
      const call = this.#calls.get(result.callId);
      if (call) addResult(call, result, { at: node.at, agentSession });
      const { callId, output, outcome } = result;
      return { callId, ...(call ? { name: call.name } : {}), output, outcome };
    });
    if (message) message.results = results;
  }

  finish(): void {
    const { nodes } = this.#conversation;
    const { agentSession } = this.#context;
    for (const found of this.#results) this.#addResults(found);
    for (const node of nodes) {
      const { notification } = node.kind === "user" || node.kind === "context" ? node : {};
      if (notification) addNotification(this.#calls, notification, { at: node.at, agentSession });
    }
    markCommands(this.messages, nodes);
    this.#addQueued();
  }

  /** Adds prompts typed while Claude Code was busy, if no record repeats them. */
  #addQueued(): void {
    const shownBefore = ({ follows }: QueuedLine) => follows && this.#shownBefore(follows);
    const found = unrepeated(this.#conversation.queued, this.messages, shownBefore);
    if (found.length === 0) return;
    const after = new Map<Message | undefined, Message[]>();
    for (const line of found) {
      const { text, at, place } = line;
      const base = { place, uuid: `queued-${place.start}`, isSidechain: false, at };
      const message = notSentAgain(base, { author: "user", text, typed: text, isPrompt: true });
      const anchor = shownBefore(line);
      after.set(anchor, [...(after.get(anchor) ?? []), message]);
    }
    this.messages = [
      ...(after.get(undefined) ?? []),
      ...this.messages.flatMap((message) => [message, ...(after.get(message) ?? [])]),
    ];
  }

  /** Returns the message that shows a record, or the last one shown before it. */
  #shownBefore(node: Node): Message | undefined {
    const at = this.#conversation.nodes.findIndex(({ uuid }) => uuid === node.uuid);
    for (let index = at; index >= 0; index -= 1) {
      const message = this.#shownBy.get(this.#conversation.nodes[index]?.uuid ?? "");
      if (message) return message;
    }
    return undefined;
  }
}

/** A prompt that a resume does not send: it was sent with one request, or a hook blocked it. */
function notSentAgain(base: NodeBase, words: RecordContent): Message {
  const places = [base.place];
  return { ...messageOf(base, words), standing: "rewritten", reason: "truncation", places };
}

function addContext(message: Message, { injection, reference }: ContextNode): void {
  if (injection) message.injections = [...message.injections, injection];
  if (reference) message.references = [...message.references, reference];
}

/**
 * Marks commands that were recorded as plain text, so that they are no prompts: beside a record of
 * the command (2.1.280), or alone behind the remark that a local command follows: a skill that runs
 * in a fork (2.1.133).
 */
function markCommands(messages: readonly Message[], nodes: readonly Node[]): void {
  const commands = new Set(
    nodes.flatMap((node) => (node.kind === "user" ? (node.command ?? []) : [])),
  );
  for (const message of messages) {
    const typed = message.isPrompt ? (message.typed ?? "").trim() : "";
    if (!typed.startsWith("/")) continue;
    const before = messages.find(({ id }) => id === message.parentId);
    if (!commands.has(typed) && !isLocalCaveat(before?.text ?? "")) continue;
    message.isPrompt = false;
    delete message.typed;
    message.injections = [{ kind: "slash-command", text: message.text }, ...message.injections];
  }
}
