import type { Injection } from "../../../core/session/message.ts";
import type { HistoryMessage } from "../content.ts";
import type { Draft } from "./draft.ts";

/** The messages in the model's context, across compactions. */
export class Memory {
  /** Messages from before the last compaction, and those since. */
  #kept: Draft[] = [];
  #fresh: Draft[] = [];

  add(draft: Draft): void {
    this.#fresh.push(draft);
  }

  /**
   * Applies the history that a compaction wrote; returns its messages that were not said before.
   */
  replace(history: readonly HistoryMessage[] | undefined): HistoryMessage[] {
    const all = history ? [...this.#kept, ...this.#fresh] : this.#fresh;
    const rest: HistoryMessage[] = [];
    const kept = new Set<Draft>();
    if (history) {
      const finder = new Finder(all);
      for (const said of history) {
        const draft = finder.find(said);
        if (draft) kept.add(draft);
        else if (said.role !== "assistant") rest.push(said);
      }
    } else for (const draft of all) if (isCarriedOver(draft)) kept.add(draft);
    for (const draft of all) draft.isKept = kept.has(draft);
    if (history) this.#kept = [...kept];
    else for (const draft of kept) this.#kept.push(draft);
    this.#fresh = [];
    return rest;
  }
}

/** Without a recorded history, prompts and the start of the conversation are sent again. */
function isCarriedOver({ message }: Draft): boolean {
  const { isPrompt, injections } = message;
  if (isPrompt) return true;
  const isStart = ({ kind }: Injection): boolean =>
    kind === "instructions" || kind === "environment";
  return injections.length > 0 && injections.every(isStart);
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
