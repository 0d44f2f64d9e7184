import { homedir, tmpdir } from "node:os";
import { PolluxError } from "./model/error.ts";
import { findHome } from "./intake/gather.ts";
import { DiskShelf } from "./intake/disk.ts";
import type { Session } from "./model/session.ts";
import type { Coverage } from "./projections/coverage.ts";
import { coverageOf } from "./projections/coverage.ts";
import type { DoctorAnswer } from "./projections/doctor.ts";
import { examine } from "./projections/doctor.ts";
import type { SessionFilter } from "./projections/filter.ts";
import { byNewest, matches } from "./projections/filter.ts";
import type { PromptLogSummary, SavedChatSummary } from "./projections/leftovers.ts";
import { summariseChat, summariseLog } from "./projections/leftovers.ts";
import type { SessionSummary } from "./projections/summary.ts";
import { summarise } from "./projections/summary.ts";
import type { Transcript } from "./projections/transcript.ts";
import { transcribe } from "./projections/transcript.ts";
import { sources as allSources } from "./sources/index.ts";
import type { Root, Source, Surroundings } from "./sources/source.ts";

export interface OpenOptions {
  /** Folders to read instead of the usual places: a `.gemini` folder, or anything holding one. */
  roots?: readonly string[];
  sources?: readonly Source[];
  /** What to take for the machine; the real one by default. */
  surroundings?: Partial<Surroundings>;
}

export interface SessionList {
  sessions: SessionSummary[];
  savedChats: SavedChatSummary[];
  /** Sessions of which only what was typed is left. */
  promptLogs: PromptLogSummary[];
  coverage: Coverage;
}

/** Opens the sessions of this machine, or of the given roots. Nothing is read before it is asked. */
export function open(options: OpenOptions = {}): Library {
  return new Library(options);
}

/** All questions that can be asked. Every door (terminal, browser, …) gives these answers. */
export class Library {
  readonly roots: readonly Root[];
  readonly #disk: DiskShelf;

  constructor({ roots = [], sources = allSources, surroundings = {} }: OpenOptions) {
    const around: Surroundings = {
      env: process.env,
      homeDir: homedir(),
      tempDir: tmpdir(),
      platform: process.platform,
      wished: roots,
      ...surroundings,
    };
    const places = sources.flatMap((source) =>
      source.roots(around).map((root) => ({ source, root })),
    );
    this.roots = places.map(({ root }) => root);
    this.#disk = new DiskShelf(
      places.flatMap(({ source, root }) => (root.isFound ? [findHome(source, root)] : [])),
    );
  }

  /** Summaries of sessions, newest first. */
  sessions(filter: SessionFilter = {}): SessionList {
    const { sessions, links, savedChats, promptLogs, files, diagnostics } = this.#disk.everything();
    const known = new Set(sessions.map(({ id }) => id));
    return {
      sessions: sessions
        .map((session) => summarise(session, (message) => links.isForeign(session, message)))
        .filter((summary) => matches(summary, filter))
        .toSorted(byNewest),
      savedChats: savedChats.map(summariseChat),
      promptLogs: promptLogs.filter(({ sessionId }) => !known.has(sessionId)).map(summariseLog),
      coverage: coverageOf(files, diagnostics),
    };
  }

  /** One session in full, by its id, an unambiguous beginning of it, or `latest`. */
  session(wish: string): Session {
    const id = this.#resolve(wish);
    const session = this.#disk.read(id);
    if (!session) throw notFound(wish);
    return session;
  }

  /** One session with all its messages, as every door shows it. */
  transcript(wish: string): Transcript {
    const session = this.session(wish);
    // Only an import repeats replies of others, and only a subsession needs its parent's calls.
    if (!session.isImport && session.kind === "main") return transcribe(session);
    const { sessions, links } = this.#disk.everything();
    const linked = sessions.find(({ id }) => id === session.id);
    if (linked?.parentCallId !== undefined) session.parentCallId = linked.parentCallId;
    return transcribe(session, (message) => links.isForeign(session, message));
  }

  /** What was looked at, what was understood, and what may be lost soon. */
  doctor(nowMs: number): DoctorAnswer {
    const { sessions, savedChats, promptLogs, files, diagnostics } = this.#disk.everything();
    const known = new Set(sessions.map(({ id }) => id));
    const settings = new Map(this.#disk.homes.map(({ root, settings }) => [root.path, settings]));
    const none = { isEnabled: false, from: "no such folder" };
    return examine({
      roots: this.roots.map((root) => ({ ...root, retention: settings.get(root.path) ?? none })),
      files,
      sessions,
      savedChats: savedChats.length,
      promptLogsOnly: promptLogs.filter(({ sessionId }) => !known.has(sessionId)).length,
      diagnostics,
      nowMs,
    });
  }

  #resolve(wish: string): string {
    if (wish !== "latest" && this.#disk.read(wish)) return wish;
    const { sessions } = this.sessions();
    if (wish === "latest") {
      const latest = sessions.find(({ kind, status }) => kind === "main" && status !== "stub");
      if (!latest) throw notFound(wish);
      return latest.id;
    }
    const found = sessions.filter(({ id }) => id.startsWith(wish));
    const [first] = found;
    if (!first) throw notFound(wish);
    if (found.length > 1) throw ambiguous(wish, found);
    return first.id;
  }
}

function notFound(wish: string): PolluxError {
  return new PolluxError("no-such-session", `There is no session "${wish}".`, {
    remedy: "`pollux sessions` lists the ids of all sessions.",
  });
}

function ambiguous(wish: string, found: readonly SessionSummary[]): PolluxError {
  const named = found.slice(0, 5).map(({ id }) => id);
  const more = found.length > named.length ? `, and ${found.length - named.length} more` : "";
  return new PolluxError("ambiguous-session", `"${wish}" begins ${found.length} session ids.`, {
    remedy: `Give more of it: ${named.join(", ")}${more}.`,
  });
}
