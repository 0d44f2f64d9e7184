import { existsSync } from "node:fs";
import type { Archive, SkimSum, Skims } from "../store/archive.ts";
import type { Home } from "../ingest/gather.ts";
import { likelyBytes } from "../ingest/gather.ts";
import type { Wanted } from "../ingest/second-skim.ts";
import { isShareable, SecondSkim } from "../ingest/second-skim.ts";
import type { Unkept } from "../ingest/session-source.ts";
import type { Skimmed } from "../ingest/skim-homes.ts";
import { skimHomes } from "../ingest/skim-homes.ts";
import type { Summed, SumHow } from "../ingest/sum-homes.ts";
import { sumHomes } from "../ingest/sum-homes.ts";
import { PolluxError } from "../core/error.ts";

/** The thread that skims along: it lies beside the program. */
const SCRIPT = "skim-worker.cjs";

interface Around {
  archive: () => Archive;
  /** Where it lies, or will. */
  path: string;
  nowMs: number;
}

/** With more than this on the disk and nothing kept yet, what it cost is told before. */
const MUCH_BYTES = 16 * 1024 * 1024;

/** Taking in much for the first time takes a while: here is told what it cost, before that. */
export class UnkeptDesk implements Unkept {
  readonly #homes: readonly Home[];
  readonly #around: Around;
  readonly #early: SecondSkim | undefined;

  private constructor(homes: readonly Home[], around: Around, early: SecondSkim | undefined) {
    this.#homes = homes;
    this.#around = around;
    this.#early = early;
  }

  /** Nothing when it is not much: then it is taken in. */
  static open(find: () => readonly Home[], around: Around): UnkeptDesk | undefined {
    // Nothing can be remembered: while files are looked for, the second thread begins.
    const early = existsSync(around.path) ? undefined : SecondSkim.begin(SCRIPT);
    let desk: UnkeptDesk | undefined;
    try {
      const homes = find();
      if (likelyBytes(homes) > MUCH_BYTES) desk = new UnkeptDesk(homes, around, early);
      return desk;
    } finally {
      if (!desk) early?.end();
    }
  }

  skim(): Promise<Skimmed | undefined> {
    this.#early?.end();
    return skimHomes(this.#homes);
  }

  async sum(asked: () => Promise<SumHow>): Promise<Summed | undefined> {
    const { nowMs } = this.#around;
    try {
      const how = await asked();
      const second = { begin: this.#begin, meanwhile: () => this.#prepare(how) };
      const summed = await sumHomes(this.#homes, how, { known: this.#known(how), nowMs, second });
      const { news = new Map<string, SkimSum>() } = summed ?? {};
      if (news.size > 0) this.#use((skims) => skims.put(how.name(), news));
      return summed;
    } finally {
      // Whatever was thrown.
      this.#early?.end();
    }
  }

  /** A thread that was begun early was so because nothing can be known. */
  #known(how: SumHow): ReadonlyMap<string, SkimSum> {
    const known = this.#early ? undefined : this.#use((skims) => skims.find(how.name()));
    return known ?? new Map<string, SkimSum>();
  }

  /** What would be asked for when all else is done. */
  #prepare(how: SumHow): void {
    how.name();
    for (const home of this.#homes) void home.projects;
    this.#use(() => undefined);
  }

  readonly #begin = (wanted: readonly Wanted[]): SecondSkim | undefined => {
    return isShareable(wanted) ? (this.#early ?? SecondSkim.begin(SCRIPT)) : undefined;
  };

  /** Remembering is a convenience: where no archive can be made, all is skimmed again. */
  #use<T>(use: (skims: Skims) => T): T | undefined {
    try {
      return use(this.#around.archive().skims);
    } catch (error) {
      if (error instanceof PolluxError) return undefined;
      throw error;
    }
  }
}
