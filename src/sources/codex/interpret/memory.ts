import type { Injection } from "../../../core/message.ts";
import type { Said } from "../rollout.ts";
import type { Draft } from "./draft.ts";

/** What the model remembers of a conversation that is compacted now and then. */
export class Memory {
  /** From before the last compaction, and since then. */
  #kept: Draft[] = [];
  #fresh: Draft[] = [];

  add(draft: Draft): void {
    this.#fresh.push(draft);
  }

  /** Takes over a written history, and gives what it has beyond what was said before. */
  replace(history: readonly Said[] | undefined): Said[] {
    const all = history ? [...this.#kept, ...this.#fresh] : this.#fresh;
    const rest: Said[] = [];
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

/** Without a written history, prompts and the start of the conversation are sent again. */
function isCarriedOver({ message }: Draft): boolean {
  const { isPrompt, injections } = message;
  if (isPrompt) return true;
  const isStart = ({ kind }: Injection): boolean =>
    kind === "instructions" || kind === "environment";
  return injections.length > 0 && injections.every(isStart);
}

/** Finds what a written history took over, by its id or by its words. */
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

  find({ id, role, parts }: Said): Draft | undefined {
    const author = role === "assistant" ? "model" : "user";
    const keys = parts.slice(0, 1).map(({ print }) => `${author}:${print}`);
    for (const key of [...(id === undefined ? [] : [`id:${id}`]), ...keys]) {
      const found = this.#byKey.get(key)?.shift();
      if (found) return found;
    }
    return undefined;
  }
}
