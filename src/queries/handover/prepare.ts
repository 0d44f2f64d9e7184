import type {
  Conversation,
  ConversationItem,
  ConversationLoss,
  HandoverCall,
  Picture,
} from "../../core/session/conversation.ts";
import { handoverNote, sizeOfItems } from "../../core/session/conversation.ts";
import { PolluxError } from "../../core/error.ts";
import { instantOf } from "../../core/instant.ts";
import type { Attachment } from "../../core/session/attachment.ts";
import type { InjectionKind, Message } from "../../core/session/message.ts";
import { optional } from "../../core/optional.ts";
import type { Session } from "../../core/session/session.ts";
import { titleOf } from "../../core/rows/summarise.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";
import { clean, cleanArgs, headAndTail, plainName } from "./clean.ts";
import { fitItems } from "./fit.ts";
import { resultAttachments, nextRequest } from "./next-request.ts";

export interface HandoverOptions {
  /** Display name of the agent that recorded the session. */
  sourceName: string;
  /** Write calls as the new agent's own calls, or as text in the answer. */
  tools?: "native" | "as-text";
  /** Start at this message. */
  fromMessageId?: string;
  /** Approximate limit in tokens. */
  fitTokens?: number;
  /** The working directory, if it is not recorded or should be another one. */
  directory?: string;
  /** Fallback where no time is recorded. */
  nowMs: number;
}

export interface PreparedHandover {
  conversation: Conversation;
  /** Estimated size of the first request. */
  tokens: number;
  losses: ConversationLoss[];
}

/** Longer outputs would make agents compact before their first answer. */
const LONGEST_OUTPUT = 40_000;
/** Picture types that every agent's model accepts. */
const PICTURES: ReadonlySet<string> = new Set(
  ["png", "jpeg", "gif", "webp"].map((form) => `image/${form}`),
);
const NO_RESULT = "[No result was recorded.]";

/** The live conversation of a session, ready to be written for another agent. */
export function prepareHandover(session: Session, options: HandoverOptions): PreparedHandover {
  const losses = new Losses();
  const live = nextRequest(session, (loss) => losses.add(loss));
  const messages = wanted(live, options, losses);
  const maker = new ItemMaker({ session, messages, options, losses });
  const items = messages.flatMap((message) => maker.itemsOf(message));
  if (!items.some(({ kind }) => kind !== "answer")) throw nothingToHandOver(session.id);
  const begun = beginning(items, options, losses);
  const { fitTokens = Infinity } = options;
  const fitting = fitItems(begun, fitTokens, (loss) => losses.add(loss));
  const origin = { source: session.source, name: options.sourceName, sessionId: session.id };
  const note = handoverNote(origin, new Date(options.nowMs).toISOString());
  const conversation: Conversation = {
    origin,
    title: newTitle(session, options),
    directory: directoryOf(session, options),
    ...optional("branch", session.git?.branch),
    items: withNote(summaryFirst(fitting), note),
  };
  const tokens = sizeOfItems(conversation.items);
  if (tokens > fitTokens) losses.addOne("room", `about ${tokens} tokens cannot be left out`);
  return { conversation, tokens, losses: losses.all() };
}

const LONGEST_TITLE = 100;

function newTitle(session: Session, { sourceName }: HandoverOptions): string {
  const title = titleOf(session) ?? session.id;
  // Do not repeat the prefix of an earlier handover.
  const isHandedOn = session.origins?.some(({ how }) => how === "handover") === true;
  const own = isHandedOn ? title.replace(/^From [^:]{1,40}: /, "") : title;
  return clean(`From ${sourceName}: ${own}`.slice(0, LONGEST_TITLE));
}

function directoryOf({ project }: Session, { directory }: HandoverOptions): string {
  const path = directory ?? project.path;
  if (path !== undefined) return path;
  throw new PolluxError("unknown-project", "The project directory of this session is unknown.", {
    remedy: "Name it with --project /path/to/the/project.",
  });
}

function wanted(live: Message[], { fromMessageId }: HandoverOptions, losses: Losses): Message[] {
  if (fromMessageId === undefined) return live;
  const exact = live.filter(({ id }) => id === fromMessageId);
  const [first, other] = exact[0] ? exact : live.filter(({ id }) => id.startsWith(fromMessageId));
  if (first && !other) {
    const from = live.indexOf(first);
    losses.add({ what: "earlier message", count: from, why: "it was asked to begin later" });
    return live.slice(from);
  }
  const called = first ? "Several live messages match" : "No live message matches";
  throw new PolluxError("no-such-message", `${called} "${fromMessageId}".`, {
    remedy: "`pollux show ID --json` lists the ids of all messages.",
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
  readonly #attached: ReadonlyMap<string, Attachment[]>;
  #calls = 0;
  #lastAt: string;

  constructor(given: {
    session: Session;
    messages: readonly Message[];
    options: HandoverOptions;
    losses: Losses;
  }) {
    const { session, options } = given;
    this.#options = options;
    this.#losses = given.losses;
    this.#attached = resultAttachments(given.messages);
    this.#lastAt = new Date(options.nowMs).toISOString();
    this.#lastAt = this.#timeOf({ at: session.startedAt });
  }

  itemsOf(message: Message): ConversationItem[] {
    const at = this.#timeOf(message);
    const summary = message.injections.find(({ kind }) => kind === "compression-summary");
    if (summary) return [{ kind: "summary", at, text: clean(summary.text) }];
    if (message.author === "user") return this.#prompt(message, at);
    return message.author === "model" ? this.#answer(message, at) : this.#leaveOutNotice();
  }

  /** A message without a time gets the last known time. */
  #timeOf({ at }: Pick<Message, "at">): string {
    const time = at === undefined ? Number.NaN : instantOf(at);
    // Cap at the time of the handover: only messages after it may be later.
    const known = Math.min(time, this.#options.nowMs);
    if (!Number.isNaN(known)) this.#lastAt = new Date(known).toISOString();
    return this.#lastAt;
  }

  #leaveOutNotice(): [] {
    this.#losses.addOne("notice", "the old agent's own words to the person");
    return [];
  }

  #prompt(message: Message, at: string): ConversationItem[] {
    const said = message.isPrompt ? [message.typed ?? message.text] : injectedTexts(message);
    if (said.length === 0) {
      if (message.injections.some(({ kind }) => !CARRIED_ELSEWHERE.has(kind))) {
        this.#losses.addOne("injected text", "the new agent makes its own context");
      }
      return [];
    }
    const pictures = this.#picturesOf(message.attachments);
    const files = message.references.map(({ path, content }) => `--- ${path} ---\n${content}`);
    const text = clean([...said, ...files].join("\n\n"));
    if (text.trim() === "" && pictures.length === 0) return [];
    return [{ kind: "prompt", at, text, pictures }];
  }

  #answer(message: Message, at: string): ConversationItem[] {
    const { thoughts, attachments } = message;
    const why = "reasoning is signed for the model that made it";
    this.#losses.add({ what: "thought", count: thoughts.length, why });
    const drawn = { what: "picture of the model", count: attachments.length };
    this.#losses.add({ ...drawn, why: "answers are carried as text" });
    const calls = message.toolCalls.map((call) => this.#call(call));
    const text = clean(message.text);
    if (text.trim() === "" && calls.length === 0) return [];
    if (this.#options.tools !== "as-text") return [{ kind: "answer", at, text, calls }];
    const parts = [text, ...calls.map(callAsText)].filter((part) => part.trim() !== "");
    const pictures = calls.flatMap((call) => call.pictures);
    const answer: ConversationItem = { kind: "answer", at, text: parts.join("\n\n"), calls: [] };
    if (pictures.length === 0) return [answer];
    return [answer, { kind: "prompt", at, text: "[What the calls showed:]", pictures }];
  }

  #call(call: ToolCall): HandoverCall {
    this.#calls += 1;
    if (call.output === undefined) {
      this.#losses.addOne("missing result", "none was recorded; a note replaces it");
    }
    const output = clean(call.output ?? NO_RESULT);
    const isLong = output.length > LONGEST_OUTPUT;
    if (isLong) this.#losses.addOne("long output", "shortened to head and tail");
    return {
      id: `handover_${this.#calls}`,
      name: plainName(call.name),
      args: cleanArgs(call.args),
      output: isLong ? headAndTail(output, LONGEST_OUTPUT) : output,
      isError:
        call.output === undefined || call.outcome === "error" || call.outcome === "cancelled",
      pictures: this.#picturesOf(this.#attached.get(call.id) ?? []),
    };
  }

  #picturesOf(attachments: readonly Attachment[]): Picture[] {
    return attachments.flatMap(({ mediaType, data }): Picture[] => {
      if (data !== undefined && PICTURES.has(mediaType)) return [{ mediaType, data }];
      this.#losses.addOne(
        "attachment",
        "only PNG, JPEG, GIF and WebP with their bytes are carried",
      );
      return [];
    });
  }
}

/** Injected texts that the conversation refers to: command texts, shell output, tasks. */
const CARRIED: ReadonlySet<InjectionKind> = new Set<InjectionKind>([
  "slash-command",
  "shell-run",
  "steering",
  "delegation",
  "background-output",
  "task-notification",
]);

/** Results are written with their calls; the new conversation gets its own note. */
const CARRIED_ELSEWHERE: ReadonlySet<InjectionKind> = new Set<InjectionKind>([
  "tool-response",
  "handover-note",
]);

function injectedTexts({ injections }: Message): string[] {
  const texts = injections.filter(({ kind }) => CARRIED.has(kind)).map(({ text }) => text);
  // A command's name is followed by its text, or concerns only the old agent.
  return texts.filter((text) => !text.startsWith("<command-"));
}

/** A conversation must begin with a prompt; one that was cut may begin with an answer. */
function beginning(
  items: ConversationItem[],
  { fromMessageId }: HandoverOptions,
  losses: Losses,
): ConversationItem[] {
  const [first] = items;
  if (first?.kind !== "answer") return items;
  const how = fromMessageId === undefined ? "was not recorded" : "was left out";
  losses.addOne("beginning", `it ${how}; a short prompt replaces it`);
  const text = `[The beginning of this conversation ${how}.]`;
  return [{ kind: "prompt", at: first.at, text, pictures: [] }, ...items];
}

/** Agents send nothing from before a summary, so a later summary becomes a prompt. */
function summaryFirst(items: readonly ConversationItem[]): ConversationItem[] {
  return items.map((item, at) => {
    if (item.kind !== "summary" || at === 0) return item;
    const text = `[Summary of the conversation so far:]\n\n${item.text}`;
    return { kind: "prompt", at: item.at, text, pictures: [] };
  });
}

/** Puts the note before the first prompt, or adds a prompt for it. */
function withNote(items: ConversationItem[], note: string): ConversationItem[] {
  const at = items[0]?.kind === "summary" ? 1 : 0;
  const [before, next, behind] = [items.slice(0, at), items[at], items.slice(at + 1)];
  if (next?.kind === "prompt") {
    return [...before, { ...next, text: `${note}\n\n${next.text}` }, ...behind];
  }
  const when = next?.at ?? before[0]?.at ?? "";
  const prompt: ConversationItem = { kind: "prompt", at: when, text: note, pictures: [] };
  return [...before, prompt, ...items.slice(at)];
}

function callAsText({ name, args, output, isError }: HandoverCall): string {
  const outcome = isError ? "It failed" : "It gave back";
  return `[Called ${name} with ${JSON.stringify(args)}. ${outcome}:]\n${output}`;
}

function nothingToHandOver(id: string): PolluxError {
  return new PolluxError("nothing-to-hand-over", `Session ${id} has no prompt to continue from.`, {
    remedy: "`pollux show` shows what is left of it.",
  });
}
