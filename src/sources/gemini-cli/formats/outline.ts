import type { RecordedMessage } from "../../../core/session/message.ts";
import type { KeptLength } from "../../decoding/outline.ts";
import { toOutline } from "../../decoding/outline.ts";
import type { Entry } from "../content.ts";
import { SAID_LENGTH, tasksOf } from "../interpret/repairs.ts";

/** Length of user text that interpretation examines, see `markDelegations`; titles are shorter. */
const USER_LENGTH = SAID_LENGTH;
/** Enough for a title. */
const BRIEF_LENGTH = 160;
/** A title is the first prompt; for much later prompts, only their number matters. */
const MAY_BE_TITLE = 100;
const BRIEFEST_LENGTH = 24;

/**
 * Reduces an entry to what lists, sums and interpretation need, in a few hundred bytes. Lists of
 * many sessions are built from outlines, so that memory does not grow with the length of
 * conversations.
 */
export function outlineOf(entry: Entry, saidLength: KeptLength = () => USER_LENGTH): Entry {
  const lighter = (message: RecordedMessage): RecordedMessage => toOutline(message, saidLength);
  if (entry.kind === "message") return { ...entry, message: lighter(entry.message) };
  if (entry.kind === "rewrite") return { ...entry, messages: entry.messages.map(lighter) };
  return entry;
}

/**
 * Outlines for files with very many messages, which also cut prompts to the length of a title.
 * Prompts that may be a subagent's task are kept longer, once the tasks are known.
 */
export class BriefOutlines {
  /** Ids of the user's first messages. */
  readonly #first = new Set<string>();
  readonly #tasks = new Set<string>();
  readonly #known: ReadonlySet<string>;

  constructor(known: ReadonlySet<string> = new Set()) {
    this.#known = known;
  }

  /** Subagents' tasks in all entries so far. */
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
