import { existsSync } from "node:fs";
import type { Archive, SkimSum, Skims } from "../archive/archive.ts";
import type { Home } from "../intake/gather.ts";
import type { Wanted } from "../intake/second-skim.ts";
import { SecondSkim } from "../intake/second-skim.ts";
import type { Unkept } from "../intake/shelf.ts";
import type { Skimmed } from "../intake/skim-homes.ts";
import { skimHomes } from "../intake/skim-homes.ts";
import type { Summed, SumHow } from "../intake/sum-homes.ts";
import { sumHomes, wantedIn } from "../intake/sum-homes.ts";
import { PolluxError } from "../model/error.ts";

/** The thread that skims along: it lies beside the program. */
const SCRIPT = "skim-worker.cjs";

interface Around {
  archive: () => Archive;
  /** Where it lies, or will. */
  path: string;
  nowMs: number;
}

/** Taking in much for the first time takes a while: here is told what it cost, before that. */
export class UnkeptDesk implements Unkept {
  readonly #homes: readonly Home[];
  readonly #around: Around;

  constructor(homes: readonly Home[], around: Around) {
    this.#homes = homes;
    this.#around = around;
  }

  skim(): Promise<Skimmed | undefined> {
    return skimHomes(this.#homes);
  }

  async sum(how: () => Promise<SumHow>): Promise<Summed | undefined> {
    const { path, nowMs } = this.#around;
    const begin = (wanted: readonly Wanted[]) => SecondSkim.begin(SCRIPT, wanted);
    // Nothing can be remembered: while the second thread begins, all else is made ready.
    const early = existsSync(path) ? undefined : begin(wantedIn(this.#homes));
    try {
      const told = await how();
      // So that it is not asked for when all others are done.
      for (const home of this.#homes) void home.projects;
      const known = this.#use((skims) => skims.find(told.name));
      const second = (wanted: readonly Wanted[]) => early ?? begin(wanted);
      const memory = { known: known ?? new Map<string, SkimSum>(), nowMs, second };
      const summed = await sumHomes(this.#homes, told, memory);
      if (summed && summed.news.size > 0) this.#use((skims) => skims.put(told.name, summed.news));
      return summed;
    } finally {
      // Whatever was thrown: a thread that waits for its work keeps the program from ending.
      early?.end();
    }
  }

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
