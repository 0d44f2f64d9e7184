import type {
  Conversation,
  ConversationItem,
  ConversationLoss,
  HandedCall,
  Picture,
} from "../core/conversation.ts";
import { handoverNote } from "../core/conversation.ts";
import { PolluxError } from "../core/error.ts";
import type { Message } from "../core/message.ts";
import { isLive } from "../core/message.ts";
import { optional } from "../core/optional.ts";
import type { Session } from "../core/session.ts";
import { titleOf } from "../core/summarise.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { fitConversation, sizeOfConversation } from "./handover-fit.ts";

export interface HandoverOptions {
  /** How people call the agent that the session is of. */
  sourceName: string;
  /** Calls as the new agent makes its own, or told in the answer's text. */
  tools?: "native" | "as-text";
  /** Only from this message on. */
  fromMessageId?: string;
  /** At most about so many tokens. */
  fitTokens?: number;
  /** The directory, when the session does not tell or another is meant. */
  directory?: string;
  /** For what has no time of its own. */
  nowMs: number;
}

export interface PreparedHandover {
  conversation: Conversation;
  /** Estimated: what the first request will send. */
  tokens: number;
  losses: ConversationLoss[];
}

/** Longer outputs make agents compact before the first answer. */
const LONGEST_OUTPUT = 40_000;
const NO_RESULT = "[No result was recorded.]";

/** The live conversation of a session, ready to be written for another agent. */
export function prepareHandover(session: Session, options: HandoverOptions): PreparedHandover {
  const losses = new Losses();
  const messages = wanted(session, options);
  const maker = new ItemMaker(session, options, losses);
  const items = messages.flatMap((message) => maker.itemsOf(message));
  if (!items.some(({ kind }) => kind === "prompt")) throw nothingToHandOver(session.id);
  const origin = { source: session.source, name: options.sourceName, sessionId: session.id };
  const whole: Conversation = {
    origin,
    title: `From ${options.sourceName}: ${titleOf(session) ?? session.id}`.slice(0, 100),
    directory: directoryOf(session, options),
    ...optional("branch", session.git?.branch),
    items: withNote(beginning(items, losses), handoverNote(origin)),
  };
  const { fitTokens } = options;
  const conversation =
    fitTokens === undefined ? whole : fitConversation(whole, fitTokens, (loss) => losses.add(loss));
  return { conversation, tokens: sizeOfConversation(conversation), losses: losses.all() };
}

function directoryOf({ project }: Session, { directory }: HandoverOptions): string {
  const path = directory ?? project.path;
  if (path !== undefined) return path;
  throw new PolluxError("unknown-project", "The directory of this session is not known.", {
    remedy: "Name it with --project /path/to/the/project.",
  });
}

function wanted({ messages }: Session, { fromMessageId }: HandoverOptions): Message[] {
  const live = messages.filter(isLive);
  if (fromMessageId === undefined) return live;
  const from = live.findIndex(({ id }) => id.startsWith(fromMessageId));
  if (from !== -1) return live.slice(from);
  throw new PolluxError("no-such-message", `No live message is called "${fromMessageId}".`, {
    remedy: "`pollux show ID --json` tells the ids of all messages.",
  });
}

class Losses {
  readonly #losses = new Map<string, ConversationLoss>();

  add({ what, count, why }: ConversationLoss): void {
    const known = this.#losses.get(what);
    if (known) known.count += count;
    else if (count > 0) this.#losses.set(what, { what, count, why });
  }

  addOne(what: string, why: string): void {
    this.add({ what, count: 1, why });
  }

  all(): ConversationLoss[] {
    return [...this.#losses.values()];
  }
}

class ItemMaker {
  readonly #options: HandoverOptions;
  readonly #losses: Losses;
  #calls = 0;
  #lastAt: string;

  constructor(session: Session, options: HandoverOptions, losses: Losses) {
    this.#options = options;
    this.#losses = losses;
    this.#lastAt = session.startedAt ?? new Date(options.nowMs).toISOString();
  }

  itemsOf(message: Message): ConversationItem[] {
    const at = this.#timeOf(message);
    const summary = message.injections.find(({ kind }) => kind === "compression-summary");
    if (summary) return [{ kind: "summary", at, text: clean(summary.text) }];
    if (message.author === "user") return this.#prompt(message, at);
    return message.author === "model" ? this.#answer(message, at) : this.#leaveOutNotice();
  }

  /** What has no time was said when the last thing was that has one. */
  #timeOf({ at }: Message): string {
    const time = at === undefined ? Number.NaN : Date.parse(at);
    if (!Number.isNaN(time)) this.#lastAt = new Date(time).toISOString();
    return this.#lastAt;
  }

  #leaveOutNotice(): [] {
    this.#losses.addOne("notices", "they are the old agent's own words to the person");
    return [];
  }

  #prompt(message: Message, at: string): ConversationItem[] {
    const pictures = this.#picturesOf(message.attachments);
    if (!message.isPrompt) {
      if (message.injections.length > 0) {
        this.#losses.addOne("injected texts", "the new agent makes its own context");
      }
      return [];
    }
    const files = message.references.map(({ path, content }) => `--- ${path} ---\n${content}`);
    const text = clean([message.typed ?? message.text, ...files].join("\n\n"));
    if (text.trim() === "" && pictures.length === 0) return [];
    return [{ kind: "prompt", at, text, pictures }];
  }

  #answer(message: Message, at: string): ConversationItem[] {
    if (message.thoughts.length > 0) {
      const why = "reasoning is signed for the model that made it";
      this.#losses.add({ what: "thoughts", count: message.thoughts.length, why });
    }
    const calls = message.toolCalls.map((call) => this.#call(call));
    const text = clean(message.text);
    if (text.trim() === "" && calls.length === 0) return [];
    if (this.#options.tools !== "as-text") return [{ kind: "answer", at, text, calls }];
    const parts = [text, ...calls.map(callAsText)].filter((part) => part.trim() !== "");
    return [{ kind: "answer", at, text: parts.join("\n\n"), calls: [] }];
  }

  #call(call: ToolCall): HandedCall {
    this.#calls += 1;
    if (call.output === undefined) {
      this.#losses.addOne("missing results", "no result was recorded; the call says so");
    }
    const output = clean(call.output ?? NO_RESULT);
    const isLong = output.length > LONGEST_OUTPUT;
    if (isLong) this.#losses.addOne("long outputs", "they are shortened to their head and tail");
    return {
      id: `handover_${this.#calls}`,
      name: nameOf(call.name),
      args: cleanArgs(call.args),
      output: isLong ? headAndTail(output, LONGEST_OUTPUT) : output,
      isError:
        call.output === undefined || call.outcome === "error" || call.outcome === "cancelled",
      pictures: this.#picturesOf(call.attachments ?? []),
    };
  }

  #picturesOf(attachments: Message["attachments"]): Picture[] {
    return attachments.flatMap(({ mediaType, data }): Picture[] => {
      if (data !== undefined && mediaType.startsWith("image/")) return [{ mediaType, data }];
      this.#losses.addOne("attachments", "only pictures whose bytes are recorded can be carried");
      return [];
    });
  }
}

/** A conversation begins with a prompt; one that was cut begins with an answer. */
function beginning(items: ConversationItem[], losses: Losses): ConversationItem[] {
  const [first] = items;
  if (first?.kind !== "answer") return items;
  losses.addOne("the beginning", "it was not recorded; a short prompt stands in its place");
  const text = "[The beginning of this conversation was not recorded.]";
  return [{ kind: "prompt", at: first.at, text, pictures: [] }, ...items];
}

function withNote(items: ConversationItem[], note: string): ConversationItem[] {
  const [first, ...others] = items;
  if (!first) return items;
  return [{ ...first, text: `${note}\n\n${first.text}` }, ...others];
}

function callAsText({ name, args, output, isError }: HandedCall): string {
  const outcome = isError ? "It failed" : "It gave back";
  return `[Called ${name} with ${JSON.stringify(args)}. ${outcome}:]\n${output}`;
}

/**
 * Letters, digits, `_` and `-`, beginning with a letter or `_`, at most 60: all vendors take that.
 */
function nameOf(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 60);
}

export function headAndTail(text: string, length: number): string {
  const half = Math.floor((length - 80) / 2);
  const left = text.length - 2 * half;
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return clean(`${head}\n[… ${left} characters were left out here …]\n${tail}`);
}

/** Half characters and control characters break files, terminals and requests. */
export function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
}

function cleanArgs(args: unknown): object {
  const cleaned = cleanValue(args, 0);
  const isObject = typeof cleaned === "object" && cleaned !== null && !Array.isArray(cleaned);
  return isObject ? cleaned : { value: cleaned ?? null };
}

const DEEPEST = 50;

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1));
  const pairs = Object.entries(value).map(([key, item]) => {
    return [clean(key), cleanValue(item, depth + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

function nothingToHandOver(id: string): PolluxError {
  return new PolluxError("nothing-to-hand-over", `Session ${id} has no prompt to go on from.`, {
    remedy: "`pollux show` tells what is left of it.",
  });
}
