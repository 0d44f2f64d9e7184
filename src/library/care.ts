import type { Archive, ArchiveStats, ImportAnswer, VerifyAnswer } from "../store/archive.ts";
import type { ArchiveShelf } from "../ingest/stored-sessions.ts";
import type { ForgetPlan } from "../ingest/forgetting.ts";
import { filesToForget, planOf, withSubsessions } from "../ingest/forgetting.ts";
import type { KeptFile } from "../core/kept.ts";
import type { Progress } from "../ingest/ingest-report.ts";

export interface CareAround {
  archive: () => Archive;
  /** All that is kept, of every root: what is forgotten is forgotten everywhere. */
  everything: () => ArchiveShelf;
  nowMs: () => number;
  progress: Progress;
  /** Reads what came in, and answers anew. */
  renew: () => void;
}

export interface ImportedAnswer extends ImportAnswer {
  /** Sessions that were forgotten here before, and stay so. */
  leftOut: number;
}

export interface CompactAnswer {
  beforeBytes: number;
  afterBytes: number;
}

/** The part of the library that looks after the archive's file: moving, checking, forgetting. */
export class CareDesk {
  readonly #around: CareAround;

  constructor(around: CareAround) {
    this.#around = around;
  }

  stats(): ArchiveStats {
    return this.#around.archive().care.stats();
  }

  verify(): VerifyAnswer {
    return this.#around.archive().care.verify(this.#around.progress);
  }

  compact(): CompactAnswer {
    const { care } = this.#around.archive();
    const beforeBytes = care.stats().sizeBytes;
    care.compact(this.#around.progress);
    return { beforeBytes, afterBytes: care.stats().sizeBytes };
  }

  exportTo(path: string): void {
    this.#around.archive().care.exportTo(path);
  }

  importFrom(path: string): ImportedAnswer {
    // What is kept here has to be known, so that nothing of it is taken for forgotten.
    this.#around.renew();
    const answer = this.#around.archive().care.importFrom(path, this.#around.nowMs());
    this.#around.renew();
    return { ...answer, leftOut: this.forgetAgain() };
  }

  /** What would be forgotten. Nothing is changed. */
  planForget(sessionIds: readonly string[]): ForgetPlan {
    return this.#plan(sessionIds).plan;
  }

  /** Removes bytes, rows and words of sessions, and notes that they are not to come back. */
  forget(sessionIds: readonly string[]): ForgetPlan {
    const { plan, ids, files, outdated } = this.#plan(sessionIds);
    this.#around.archive().care.forget({
      files: [...files.map(({ id }) => id), ...outdated],
      sessions: [...ids],
      // Where a replaced content stood, another session is.
      paths: files.filter(({ replaced }) => !replaced).map(({ path }) => path),
      nowMs: this.#around.nowMs(),
    });
    this.#around.renew();
    return plan;
  }

  #plan(sessionIds: readonly string[]): {
    plan: ForgetPlan;
    ids: ReadonlySet<string>;
    files: KeptFile[];
    outdated: number[];
  } {
    const shelf = this.#around.everything();
    const digests = shelf.digests();
    const ids = withSubsessions(sessionIds, digests);
    const around = { homes: shelf.keptHomes, promptLogs: shelf.allPromptLogs() };
    const told = filesToForget(this.#around.archive(), ids, around);
    return { plan: planOf(ids, told, digests), ids, ...told };
  }

  /**
   * What was forgotten does not come back: from another archive, or in a file that names its
   * session late. Says how many sessions had.
   */
  forgetAgain(): number {
    const archive = this.#around.archive();
    const roots = archive.files.roots().map(({ id }) => id);
    const forgotten = archive.files.forgotten();
    const back = [...archive.rows.keys(roots).values()].filter((id) => {
      return forgotten.has("session", id);
    });
    const ids = [...new Set(back)];
    if (ids.length > 0) this.forget(ids);
    return ids.length;
  }
}
