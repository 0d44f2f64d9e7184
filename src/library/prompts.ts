import type { Shelf } from "../ingest/session-source.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { SessionSummary } from "../core/summary.ts";
import { mayTell, tells } from "../queries/match-prompt-log.ts";

/** Larger sessions are not read for the sake of a list. */
const READ_BYTES = 32 * 1024 * 1024;

/** The part of the library that knows of which sessions only the prompts are left. */
export class PromptDesk {
  readonly #shelf: Shelf;
  /** What was found out by reading, until a session goes on. */
  readonly #told = new Map<string, boolean>();

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  only(): PromptLog[] {
    const summaries = this.#shelf.digests().map(({ summary }) => summary);
    const known = new Set(summaries.map(({ id }) => id));
    return this.#shelf.promptLogs().filter((log) => {
      return !known.has(log.sessionId) && !this.#isToldElsewhere(log, summaries);
    });
  }

  /** By exactly one session: when in doubt, it is listed. */
  #isToldElsewhere(log: PromptLog, summaries: readonly SessionSummary[]): boolean {
    const possible = summaries.filter((summary) => mayTell(summary, log));
    return possible.filter((summary) => this.#tells(summary, log)).length === 1;
  }

  #tells({ id, updatedAt, files }: SessionSummary, log: PromptLog): boolean {
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    if (sizeBytes > READ_BYTES) return false;
    const key = [log.sessionId, log.prompts.length, id, updatedAt, sizeBytes].join();
    const before = this.#told.get(key);
    if (before !== undefined) return before;
    const session = this.#shelf.read(id);
    const isTold = session !== undefined && tells(session, log);
    this.#told.set(key, isTold);
    return isTold;
  }
}
