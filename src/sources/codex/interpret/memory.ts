import type { Injection } from "../../../core/session/message.ts";
import type { HistoryMessage } from "../content.ts";
import type { Draft } from "./draft.ts";
import type { Rollback } from "./timeline.ts";

/** The messages in the model's context, across compactions and rollbacks. */
export class Memory {
  /** Messages from before the last compaction, and those since. */
  #kept: Draft[] = [];
  #fresh: Draft[] = [];

  add(draft: Draft): void {
    this.#fresh.push(draft);
  }

  /** Removes the last turns. */
  rollBack({ turns, isHistoryLost }: Rollback): void {
    if (isHistoryLost) this.#keep([]);
    const all = [...this.#kept, ...this.#fresh];
    const starts = all.flatMap((draft, at) => (isTurn(draft) ? [at] : []));
    const end = starts.at(-turns) ?? starts[0] ?? all.length;
    this.#fresh = this.#fresh.slice(0, Math.max(0, end - this.#kept.length));
    this.#keep(this.#kept.slice(0, end));
  }

  /**
   * Applies the history that a compaction wrote; returns its messages that were not said before.
   */
  replace(history: readonly HistoryMessage[] | undefined): HistoryMessage[] {
    const rest: HistoryMessage[] = [];
    const all = [...this.#kept, ...this.#fresh];
    const kept = new Set(history ? [] : [...this.#kept, ...carriedOver(all)]);
    const finder = new Finder(history ? all : []);
    for (const said of history ?? []) {
      const draft = finder.find(said);
      if (draft) kept.add(draft);
      else if (said.role !== "assistant") rest.push(said);
    }
    for (const draft of this.#fresh) draft.isKept = kept.has(draft);
    this.#keep([...kept]);
    this.#fresh = [];
    return rest;
  }

  #keep(drafts: Draft[]): void {
    for (const draft of this.#kept) draft.isKept = false;
    for (const draft of drafts) draft.isKept = true;
    this.#kept = drafts;
  }
}

/** A message that a rollback counts. */
function isTurn({ message: { author, isPrompt, injections } }: Draft): boolean {
  const isSent = ({ kind, text }: Injection): boolean =>
    kind === "delegation" || (kind === "compression-summary" && text !== "");
  return author === "user" && (isPrompt || injections.some(isSent));
}

/**
 * Without a recorded history, prompts and the start of the conversation are sent again. A resumed
 * conversation has another start, which is not.
 */
function carriedOver(drafts: readonly Draft[]): Draft[] {
  const prompt = drafts.findIndex(({ message }) => message.isPrompt);
  const end = prompt === -1 ? drafts.length : prompt;
  return drafts.filter((draft, at) => {
    return draft.message.isPrompt || isBareSummary(draft) || (at < end && isStart(draft));
  });
}

/** Up to 0.58 later compactions take a summary for a prompt; then a sentence before it marks it. */
function isBareSummary({ message: { injections, text } }: Draft): boolean {
  const isSummary = injections.some(({ kind }) => kind === "compression-summary");
  return isSummary && !text.startsWith("Another language model started");
}

function isStart({ message: { injections } }: Draft): boolean {
  const isContext = ({ kind }: Injection): boolean =>
    kind === "instructions" || kind === "environment";
  return injections.length > 0 && injections.every(isContext);
}

/** Finds the messages that a history copied, by id or by text. */
class Finder {
  readonly #byKey = new Map<string, Draft[]>();

  constructor(drafts: readonly Draft[]) {
    for (const draft of drafts) {
      const words = [...draft.prints, ...draft.texts.map(({ text }) => text.print)];
      const keys = words.map((print) => `${draft.message.author}:${print}`);
      if (draft.itemId !== undefined) keys.push(`id:${draft.itemId}`);
      for (const key of keys) {
        const same = this.#byKey.get(key);
        if (same) same.push(draft);
        else this.#byKey.set(key, [draft]);
      }
    }
  }

  find({ id, role, parts }: HistoryMessage): Draft | undefined {
    const author = role === "assistant" ? "model" : "user";
    const keys = parts.slice(0, 1).map(({ print }) => `${author}:${print}`);
    for (const key of [...(id === undefined ? [] : [`id:${id}`]), ...keys]) {
      const found = this.#byKey.get(key)?.shift();
      if (found) return found;
    }
    return undefined;
  }
}
