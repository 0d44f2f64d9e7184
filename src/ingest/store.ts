import type { Archive, PieceFacts, TextDraft } from "../store/archive.ts";
import type { Digest } from "../core/digest.ts";
import type { KeptFile, KeptRoot } from "../core/kept.ts";
import { replacedFile } from "../core/kept.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { sessionFileOf } from "./archived-home.ts";
import type { Changed } from "./changed.ts";
import { isSettled } from "./changed.ts";
import type { Ready, ReadyFile, ReadyPiece, ReadySession } from "./ready.ts";
import { makeReady } from "./ready.ts";
import type { Taken } from "./take-bytes.ts";

/** Files that belong together, read and ready to be stored. */
export interface Bundle {
  /** With new bytes. */
  taken: { taken: Taken; known?: KeptFile }[];
  ready: Ready;
}

export interface StoreOptions {
  nowMs: number;
  text: "now" | "later";
}

/** Puts what was read into the archive. All of a session's bytes and rows come in one step. */
export class Store {
  readonly #archive: Archive;
  readonly #root: KeptRoot;
  readonly #options: StoreOptions;
  #draft: TextDraft | undefined;
  /** Those whose words go into the index with the present step. */
  readonly #drafts = new Set<TextDraft>();
  /** A project is not surely named: others may tell more about it. */
  hasUnsureProject = false;
  sessions = 0;

  constructor(archive: Archive, root: KeptRoot, options: StoreOptions) {
    this.#archive = archive;
    this.#root = root;
    this.#options = options;
  }

  get nowMs(): number {
    return this.#options.nowMs;
  }

  /** Whether words go into the index now. */
  get text(): StoreOptions["text"] {
    return this.#options.text;
  }

  /** Where the words of the next step are gathered; nothing when they are left for later. */
  get draft(): TextDraft | undefined {
    if (this.#options.text === "later") return undefined;
    this.#draft ??= this.#archive.texts.draft();
    return this.#draft;
  }

  /** What can be done before it is one's turn to write. */
  makeReady(): void {
    this.#draft?.seal();
  }

  /** What another one has put in as well. */
  add({ sessions, hasUnsureProject }: Pick<Store, "sessions" | "hasUnsureProject">): void {
    this.sessions += sessions;
    this.hasUnsureProject ||= hasUnsureProject;
  }

  /** Keeps bytes alone. Nothing, when another process has kept the file meanwhile. */
  keep({ file, how, content }: Taken, known: KeptFile | undefined): KeptFile | undefined {
    const { nowMs } = this.#options;
    const seen = { ...(known ? { known } : {}), isSettled: isSettled(file, nowMs), nowMs };
    if (how !== "same" && content) {
      return this.#archive.files.keep(this.#root, file, { ...seen, how, content });
    }
    this.#archive.files.restamp(this.#root, file, seen);
    return known && { ...known, ...file, isSettled: seen.isSettled };
  }

  /** The content is known; the file is back, or has another role. */
  restamp({ file, known }: Required<Changed>): void {
    const seen = { known, isSettled: known.isSettled, nowMs: this.#options.nowMs };
    this.#archive.files.restamp(this.#root, file, seen);
  }

  put(bundles: readonly Bundle[], home: ArchivedHome): void {
    this.#writing(() => {
      for (const { taken, ready } of bundles) {
        const kept = new Map<string, KeptFile>();
        for (const one of taken) {
          const file = this.keep(one.taken, one.known);
          // Another process was quicker: what it stored is read afterwards, as unread.
          if (file) kept.set(file.path, file);
          if (one.taken.how !== "whole" || !one.known) continue;
          const before = replacedFile(one.known, this.#options.nowMs);
          if (file) kept.set(before.path, before);
        }
        const isKept = taken.every(({ taken: { file } }) => kept.has(file.path));
        if (isKept) this.#putReady(ready, home, kept);
      }
    });
  }

  #putReady(ready: Ready, home: ArchivedHome, kept: ReadonlyMap<string, KeptFile>): void {
    const { rows } = this.#archive;
    const fileAt = (path: string): KeptFile | undefined => kept.get(path) ?? home.fileAt(path);
    const left = new Set<string>();
    for (const { path, reading } of ready.files) {
      const file = fileAt(path);
      if (!file) continue;
      const { id: fileId, stream, sizeBytes } = file;
      const before = rows.reading(fileId)?.sessionId;
      if (before !== undefined && before !== reading.sessionId) left.add(before);
      rows.putReading({ ...reading, fileId, stream, sizeBytes });
    }
    for (const session of ready.sessions) {
      const files = session.paths.flatMap((path) => fileAt(path) ?? []);
      if (this.#isWhole(session.id, files)) this.#putSession(session, fileAt);
      else this.#putAgain(session.id, home);
    }
    for (const { id } of ready.sessions) left.delete(id);
    for (const id of left) this.#putAgain(id, home);
  }

  /** Another process may have stored a further file of the session meanwhile. */
  #isWhole(id: string, files: readonly KeptFile[]): boolean {
    const ids = new Set(files.map((file) => file.id));
    const stored = this.#archive.rows.filesOf(id, this.#root.id);
    return stored.length === ids.size && stored.every((file) => ids.has(file));
  }

  /** Puts the words of sessions into the index whose rows are there, in one step. */
  index(ids: readonly string[], home: ArchivedHome): void {
    this.#writing(() => {
      // Another process may have done so since they were listed.
      const { rows } = this.#archive;
      const waiting = new Set(rows.withoutText([this.#root.id]).map(({ id }) => id));
      for (const id of ids) if (waiting.has(id)) this.#putAgain(id, home, "words");
    });
  }

  #putAgain(id: string, home: ArchivedHome, what: "all" | "words" = "all"): void {
    const ids = new Set(this.#archive.rows.filesOf(id, this.#root.id));
    const files = [
      ...this.#archive.files
        .filesAround(this.#root, [...ids])
        .filter(({ id: one }) => ids.has(one)),
      ...this.#archive.files.replaced(
        this.#root,
        [...ids].filter((file) => file < 0),
      ),
    ];
    const members = files.map((file) => {
      return { file: sessionFileOf(file), bytes: this.#archive.files.bytes(file) };
    });
    const byPath = new Map(files.map((file) => [file.path, file]));
    const { sessions, files: read } = makeReady(home, members, this.draft);
    const session = sessions.find((one) => one.id === id);
    const fileAt = (path: string): KeptFile | undefined => byPath.get(path);
    const key = what === "words" ? this.#archive.rows.keyOf(id, this.#root.id) : undefined;
    // The rows say what they did: nothing that was answered from them is out of date.
    if (session && key !== undefined) return this.#putWords(session, key, fileAt);
    this.#putReplaced(read, byPath);
    if (session) this.#putSession(session, fileAt);
    else this.#archive.rows.drop(id, this.#root.id);
  }

  /** What came newer may hold all that a replaced content does. */
  #putReplaced(read: readonly ReadyFile[], byPath: ReadonlyMap<string, KeptFile>): void {
    for (const { path, reading } of read) {
      const file = byPath.get(path);
      if (!file?.replaced) continue;
      const { id: fileId, stream, sizeBytes } = file;
      this.#archive.rows.putReading({ ...reading, fileId, stream, sizeBytes });
    }
  }

  #putSession(session: ReadySession, fileAt: (path: string) => KeptFile | undefined): void {
    const { digest, clues } = session;
    const key = this.#archive.rows.put({ digest, clues, roots: [this.#root.id] });
    this.sessions += 1;
    this.hasUnsureProject ||= isUnsure(digest) || clues.files.some(({ told }) => told);
    this.#putWords(session, key, fileAt);
  }

  #putWords(
    { words }: ReadySession,
    key: number,
    fileAt: (path: string) => KeptFile | undefined,
  ): void {
    if (!words) return;
    const pieces: PieceFacts[] = [];
    for (const piece of words.pieces) pieces.push(keptPiece(piece, fileAt));
    words.draft.assign(words.number, { key, pieces });
    this.#drafts.add(words.draft);
  }

  /** One step; the words of all its sessions go into the index together, at its end. */
  #writing(work: () => void): void {
    // What is read again inside has a draft of its own: the other one is in order already.
    this.#draft = undefined;
    try {
      this.#archive.write(() => {
        work();
        for (const draft of this.#drafts) this.#archive.texts.put(draft);
      });
    } finally {
      this.#drafts.clear();
      this.#draft = undefined;
    }
  }
}

function keptPiece(
  { messageId, role, standing, atMs, places }: ReadyPiece,
  fileAt: (path: string) => KeptFile | undefined,
): PieceFacts {
  const piece: PieceFacts = { role, standing, places: [] };
  for (const { file, start, end } of places) {
    const id = fileAt(file)?.id;
    if (id !== undefined) piece.places.push({ file: id, start, end });
  }
  if (messageId !== undefined) piece.messageId = messageId;
  if (atMs !== undefined) piece.atMs = atMs;
  return piece;
}

function isUnsure({ session }: Digest): boolean {
  return session.project.path === undefined;
}
