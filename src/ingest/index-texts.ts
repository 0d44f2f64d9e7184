import type { Session } from "../core/session.ts";
import type { Source } from "../sources/source.ts";
import type { SessionTexts, Store } from "../store/store.ts";
import { loadGroup } from "./read-session.ts";
import { readSessions } from "./read-group.ts";
import { LARGE_BYTES, sweepMemory } from "./spare-memory.ts";
import { storedHomes } from "./stored-companions.ts";
import type { SessionStore, StoredHome } from "./stored-home.ts";
import { spillReader, textsOf } from "./texts.ts";

type TextStore = SessionStore & Pick<Store, "indexTexts" | "withoutTexts">;

export interface IndexOptions {
  sources: readonly Source[];
  progress?: (done: number, total: number) => void;
}

/** Texts go into the index in steps of about so many characters. */
const STEP_CHARACTERS = 8 * 1024 * 1024;
/** More sessions than any store holds: all that wait are asked for at once. */
const ALL = 1_000_000;

/** Puts the words of all sessions into the index whose rows are there. Says of how many. */
export async function indexTexts(store: TextStore, options: IndexOptions): Promise<number> {
  const { sources, progress } = options;
  const refs = await store.withoutTexts(ALL);
  if (refs.length === 0) return 0;
  const homes = await storedHomes(store, sources);
  const waiting = new Set(refs.map(({ source, id }) => `${source}\n${id}`));
  const total = waiting.size;
  const step = new TextStep(store);
  for (const ref of refs) {
    const source = sources.find(({ id }) => id === ref.source);
    if (!source || !waiting.delete(`${ref.source}\n${ref.id}`)) continue;
    const loaded = await loadGroup({ store, sources, homes, scope: "own" }, ref);
    // Nothing is left of it: it has no words, either.
    if (!loaded) {
      await step.add(ref, []);
      continue;
    }
    const sessions = readSessions(source, loaded.group, "full");
    for (const session of sessions) {
      const isWaiting = session.id === ref.id || waiting.delete(`${source.id}\n${session.id}`);
      if (isWaiting) await step.add({ source: source.id, id: session.id }, textsIn(session, homes));
    }
    const bytes = loaded.group.reduce((sum, { file }) => sum + file.sizeBytes, 0);
    if (bytes > LARGE_BYTES) sweepMemory();
    progress?.(total - waiting.size, total);
  }
  await step.flush();
  return total;
}

function textsIn(session: Session, homes: readonly StoredHome[]): SessionTexts["pieces"] {
  const roots = new Set(session.files.map(({ root }) => root));
  const views = homes.filter(({ root }) => roots.has(root.path)).map(({ view }) => view.view);
  const readers = views.map(spillReader);
  return textsOf(session, (path) => {
    return readers.map((read) => read(path)).find((text) => text !== undefined);
  });
}

class TextStep {
  readonly #store: TextStore;
  #sessions: SessionTexts[] = [];
  #characters = 0;

  constructor(store: TextStore) {
    this.#store = store;
  }

  async add(
    { source, id }: { source: string; id: string },
    pieces: SessionTexts["pieces"],
  ): Promise<void> {
    this.#sessions.push({ source, id, pieces });
    for (const { texts } of pieces) for (const text of texts) this.#characters += text.length;
    if (this.#characters >= STEP_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    const sessions = this.#sessions;
    this.#sessions = [];
    this.#characters = 0;
    if (sessions.length > 0) await this.#store.indexTexts(sessions);
  }
}
