import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { ArchiveDesk, Place } from "./archive.ts";
import { isKept } from "../ingest/is-kept.ts";
import type { PutBackAnswer } from "../ingest/write-restored.ts";
import type { Keeping } from "../ingest/restore.ts";
import { restoreSession, sessionVersions } from "../ingest/restore.ts";
import type { SessionVersion } from "../ingest/session-states.ts";
import type { Shelf } from "../ingest/session-source.ts";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type { Session } from "../core/session.ts";
import type { RetentionSettings, Source, Environment } from "../sources/source.ts";

/** What is to be put back; without options the session as it is known, where it was found. */
export interface RestoreOptions {
  /** The root to restore into. */
  into?: string;
  /** The session's directory, when it is not known or another is meant. */
  projectPath?: string;
  /** The version of the program that shall read it. */
  forVersion?: string;
  /** Which kept version: by its number, or the one at a time. */
  version?: number;
  asOfMs?: number;
  /** As it was when this message had just been recorded. */
  at?: string;
  /** `new`: a copy, under an id that nothing has yet. */
  id?: "same" | "new";
  writes?: "really" | "dry-run";
  /** What becomes of a state of it that is there already. */
  existing?: "stays" | "is-replaced";
  nowMs: number;
}

/** What was put back, and what to know about it. */
export interface RestoreAnswer extends PutBackAnswer {
  root: string;
  /** How long the program itself keeps it there. */
  retention: RetentionSettings;
}

/** How to go on with a session. */
export interface ResumeAnswer {
  sessionId: string;
  projectPath: string;
  isProjectThere: boolean;
  /** What to run in the project's directory. */
  command: string[];
  /** What has to be written first; nothing when the program finds the session as it is. */
  restore: RestoreAnswer | null;
}

interface Around {
  shelf: Shelf;
  archive: ArchiveDesk;
  sources: readonly Source[];
  places: readonly Place[];
  around: Environment;
}

/** The part of the library that puts sessions back. */
export class RestoreDesk {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  restore(session: Session, options: RestoreOptions): RestoreAnswer {
    const { id, into, existing = "stays", writes = "really", ...wish } = options;
    if (wish.version !== undefined && wish.asOfMs !== undefined) {
      throw new PolluxError("wrong-usage", "A version is named by number or by time, not by both.");
    }
    const root = into === undefined ? this.#rootOf(session) : this.#rootAt(session, into);
    const answer = restoreSession(session, this.#keeping(), {
      ...wish,
      ...optional("newId", id === "new" ? randomUUID() : undefined),
      root,
      existing,
      writes,
      platform: this.#around.around.platform,
    });
    // What was known so far is no longer so.
    if (writes === "really") this.#around.archive.lookAgain();
    return { ...answer, root, retention: this.#retention(session, root) };
  }

  versions(session: Session): SessionVersion[] {
    return sessionVersions(session, this.#keeping());
  }

  /** Writes nothing. */
  resumeCommand(session: Session, options: RestoreOptions): ResumeAnswer {
    const would = this.restore(session, { ...options, writes: "dry-run", existing: "stays" });
    const { sessionId, projectPath, isProjectThere, command, outcome } = would;
    // What is there is resumed as it is, also when more of it is kept.
    const isThere = outcome === "unchanged" || outcome === "exists";
    return { sessionId, projectPath, isProjectThere, command, restore: isThere ? null : would };
  }

  #keeping(): Keeping {
    const { shelf, archive } = this.#around;
    return {
      homes: shelf.homes,
      states: ({ file }, sessionId) => {
        return shelf === archive.shelf ? archive.shelf.states(file, sessionId) : [];
      },
      canKeep: archive.isThere,
      keepFirst: (path) => {
        archive.keep();
        if (isKept(path, archive.shelf.homes)) return;
        throw new PolluxError("not-kept", `${path} could not be kept, and was not replaced.`, {
          remedy: "Try again when nothing writes to it, with a root that is kept.",
        });
      },
    };
  }

  /** The wished folder may be one that holds the program's own, as everywhere. */
  #rootAt({ source: id }: Session, into: string): string {
    const { sources, around } = this.#around;
    const source = sources.find((one) => one.id === id);
    return source?.roots({ ...around, askedRoots: [into] })[0]?.path ?? into;
  }

  /** Where it was found, if that is a place of this machine; else where the program looks first. */
  #rootOf(session: Session): string {
    const own = session.files.find(({ root }) => existsSync(root));
    const usual = this.#around.places.map(({ root }) => root);
    const first = usual.find(({ isFound }) => isFound) ?? usual[0];
    const root = own?.root ?? first?.path;
    if (root !== undefined) return root;
    throw new PolluxError("no-root", "There is no folder to restore into.", {
      remedy: "Name it with --into.",
    });
  }

  #retention({ source: id }: Session, root: string): RetentionSettings {
    const source = this.#around.sources.find((one) => one.id === id);
    const place = { path: root, because: "restored into", isFound: true };
    return source?.retention(place) ?? { isEnabled: false, from: "an unknown program" };
  }
}
