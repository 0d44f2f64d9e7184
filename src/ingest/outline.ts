import type { Entry } from "../core/entry.ts";
import type { Injection, RecordedMessage } from "../core/message.ts";
import type { Thought } from "../core/thought.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { SAID_LENGTH, TASK_LENGTH, tasksOf } from "../sources/gemini-cli/interpret/repairs.ts";

/** How much of a message's content is kept while reading. */
export type Weight = "full" | "outline";

/** What replay looks at in a user's text, see `markDelegations`; titles are shorter. */
const USER_LENGTH = SAID_LENGTH;
const ARGUMENT_LENGTH = TASK_LENGTH;
/** Enough for a title. */
const BRIEF_LENGTH = 160;
/** A title is what was asked first; of what was asked much later only counts that it was. */
const MAY_BE_TITLE = 100;
const BRIEFEST_LENGTH = 24;
/** Paths of projects are looked for in this much of an output. */
const OUTPUT_LENGTH = 160;
/** The start context names the workspace within its first lines. */
const INJECTION_LENGTH = 1500;
/** Of a reply only counts that it said something. */
const SOMETHING = "…";
/** One list for all that have none: a message has seven lists, most of them empty. */
const NONE: readonly never[] = Object.freeze([]);
/** What was run is counted command by command; longer lines are scripts with data in them. */
const SHELL_LENGTH = 20_000;

/** How much of what a person said an outline holds. */
type SaidLength = (message: RecordedMessage) => number;

/**
 * An entry without its bulk: all that lists, sums and replay need, in a few hundred bytes. Lists of
 * many sessions are made from outlines, so that memory does not grow with what was said.
 */
export function outlineOf(entry: Entry, saidLength: SaidLength = () => USER_LENGTH): Entry {
  const lighter = (message: RecordedMessage): RecordedMessage => lighten(message, saidLength);
  if (entry.kind === "message") return { ...entry, message: lighter(entry.message) };
  if (entry.kind === "rewrite") return { ...entry, messages: entry.messages.map(lighter) };
  return entry;
}

/**
 * Outlines of a file with very many messages: of prompts, too, only as much as a title shows. Those
 * that may be the task of an agent are kept longer, once it is known what agents were asked.
 */
export class BriefOutlines {
  /** Ids of what a person said first. */
  readonly #first = new Set<string>();
  readonly #tasks = new Set<string>();
  readonly #known: ReadonlySet<string>;

  constructor(known: ReadonlySet<string> = new Set()) {
    this.#known = known;
  }

  /** What agents were asked, in all entries so far. */
  get tasks(): ReadonlySet<string> {
    return this.#tasks;
  }

  of(entry: Entry): Entry {
    if (entry.kind === "message") this.#note(entry.message);
    if (entry.kind === "rewrite") for (const message of entry.messages) this.#note(message);
    return outlineOf(entry, (message) => this.#lengthOf(message));
  }

  #note({ toolCalls }: RecordedMessage): void {
    for (const call of toolCalls) for (const task of tasksOf(call)) this.#tasks.add(task);
  }

  #lengthOf({ id, author, isPrompt, text }: RecordedMessage): number {
    const isFirst = this.#first.size < (isPrompt ? MAY_BE_TITLE : 1);
    if (author === "user" && isFirst) this.#first.add(id);
    const length = this.#first.has(id) ? BRIEF_LENGTH : BRIEFEST_LENGTH;
    if (this.#known.size === 0) return length;
    const head = text.slice(0, SAID_LENGTH);
    for (const task of this.#known) if (head.includes(task)) return USER_LENGTH;
    return length;
  }
}

function lighten(message: RecordedMessage, saidLength: SaidLength): RecordedMessage {
  const { references, injections, thoughts: _let, results, ...more } = message;
  const { attachments, partSignatures, toolCalls, text: _said, typed: _asked, ...rest } = more;
  const length = saidLength(message);
  const text = lightText(message, length);
  const typed = message.typed === undefined ? undefined : cut(message.typed, length);
  // A literal that begins with a spread gets a hidden class of its own, as big as the message.
  return {
    text,
    // The two are mostly the same, and need not be kept twice.
    ...(typed === undefined ? {} : { typed: typed === text ? text : typed }),
    references: light(references, ({ path }) => ({ path, content: "" })),
    injections: light(injections, lightInjection),
    thoughts: light<Thought>([], (thought) => thought),
    results: light(results, (result) => ({ ...result, output: cut(result.output, 20) })),
    attachments: light(attachments, (attachment) => attachment),
    partSignatures: light(partSignatures, (part) => part),
    toolCalls: light(toolCalls, lightCall),
    ...rest,
  };
}

function light<T>(items: readonly T[], lighter: (item: T) => T): T[] {
  // Nobody changes a list of a message in place.
  return items.length === 0 ? (NONE as unknown as T[]) : items.map(lighter);
}

/** Of the others only counts what they are. */
function lightInjection({ kind, text }: Injection): Injection {
  const isTelling = kind === "session-context" || kind === "workspace";
  return { kind, text: isTelling ? cut(text, INJECTION_LENGTH) : "" };
}

function lightText({ author, text }: RecordedMessage, length: number): string {
  if (author === "user") return cut(text, length);
  if (author === "notice") return cut(text, 80);
  return text.trim() === "" ? "" : SOMETHING;
}

function lightCall({ display: _display, description: _text, ...call }: ToolCall): ToolCall {
  const { shellLine, output } = call;
  return {
    ...call,
    args: lightArgs(call),
    ...(shellLine === undefined ? {} : { shellLine: cut(shellLine, SHELL_LENGTH) }),
    ...(output === undefined
      ? {}
      : { output: PATH.test(output.slice(0, OUTPUT_LENGTH)) ? cut(output, OUTPUT_LENGTH) : "" }),
  };
}

const PATH = /(?:^|\s)(?:\/|[A-Za-z]:[\\/])/;

/** Paths tell the project; what an agent was asked tells its task from a prompt. */
function lightArgs({ args, label }: ToolCall): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return {};
  const texts = Object.entries(args).flatMap(([key, value]) => {
    const isKept = typeof value === "string" && (label === "Agent" || PATH.test(value.slice(0, 4)));
    return isKept ? [[key, cut(value, label === "Agent" ? ARGUMENT_LENGTH : 4096)] as const] : [];
  });
  return texts.length === 0 ? NO_ARGUMENTS : Object.fromEntries(texts);
}

const NO_ARGUMENTS = Object.freeze({});

/**
 * The beginning of a text, as a string of its own: a plain slice would keep the whole text alive,
 * and a list of a thousand sessions would hold all their bytes.
 */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  const encoding = /^[\0-\xff]*$/.test(head) ? "latin1" : "utf16le";
  return Buffer.from(head, encoding).toString(encoding);
}
