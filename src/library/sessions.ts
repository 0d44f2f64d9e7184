import type { Shelf } from "../ingest/session-source.ts";
import type { SessionSummary } from "../core/summary.ts";
import { ambiguous, isMeant, notFound, nothingThere } from "./naming.ts";
import type { Coverage } from "../queries/coverage.ts";
import { coverageOf } from "../queries/coverage.ts";
import type { SessionFilter } from "../queries/filter.ts";
import { matches, newestFirst } from "../queries/filter.ts";
import type { PromptLogSummary, SavedChatSummary } from "../queries/unmatched-prompts.ts";
import type { PromptDesk } from "./prompts.ts";
import {
  newestChats,
  newestLogs,
  summariseChat,
  summariseLog,
} from "../queries/unmatched-prompts.ts";
import type { Root } from "../sources/source.ts";

export interface SessionList {
  sessions: SessionSummary[];
  savedChats: SavedChatSummary[];
  /** Sessions of which only what was typed is left. */
  promptLogs: PromptLogSummary[];
  coverage: Coverage;
}

/** The part of the library that lists sessions, and knows which of them is meant. */
export class ListDesk {
  readonly #shelf: Shelf;
  readonly #prompts: PromptDesk;
  readonly #roots: readonly Root[];

  constructor(shelf: Shelf, told: { prompts: PromptDesk; roots: readonly Root[] }) {
    this.#shelf = shelf;
    this.#prompts = told.prompts;
    this.#roots = told.roots;
  }

  /** Summaries of sessions, newest first. */
  sessions(filter: SessionFilter): SessionList {
    const { known, keep } = this.#shelf.recall<SessionList>(`sessions ${JSON.stringify(filter)}`);
    return known ?? keep(this.#list(filter));
  }

  /** The whole id of the session that is meant. */
  lookUp(wish: string): string {
    if (wish === "latest") return this.#latest();
    const found = this.sessions({}).sessions.filter(({ id }) => isMeant(id, wish));
    // A subagent's id may be its parent's with an addition: the parent is meant by what they share.
    const first = found.toSorted((a, b) => a.id.length - b.id.length)[0];
    if (!first) throw notFound(wish);
    if (found.some(({ id }) => !id.startsWith(first.id))) throw ambiguous(wish, found);
    return first.id;
  }

  #latest(): string {
    const { known, keep } = this.#shelf.recall<string>("latest");
    if (known !== undefined) return known;
    // Not a list that is remembered: one id is all that is wanted of it.
    const sessions = newestFirst(this.#shelf.digests().map(({ summary }) => summary));
    const latest = sessions.find(({ kind, status }) => kind === "main" && status !== "stub");
    if (!latest) throw sessions.length > 0 ? notFound("latest") : nothingThere(this.#roots);
    return keep(latest.id);
  }

  #list(filter: SessionFilter): SessionList {
    const shelf = this.#shelf;
    const summaries = shelf.digests().map(({ summary }) => summary);
    const meant = summaries.filter((summary) => matches(summary, filter));
    return {
      sessions: newestFirst(meant).slice(0, filter.limit),
      savedChats: newestChats(shelf.savedChats().map(summariseChat), filter),
      promptLogs: newestLogs(this.#prompts.only().map(summariseLog), filter),
      coverage: coverageOf(shelf.counts(), shelf.diagnostics()),
    };
  }
}
