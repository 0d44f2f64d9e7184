import type { Archive, SkimSum, Skims } from "../archive/archive.ts";
import type { Home } from "../intake/gather.ts";
import type { Unkept } from "../intake/shelf.ts";
import type { Skimmed } from "../intake/skim-homes.ts";
import { skimHomes } from "../intake/skim-homes.ts";
import type { Summed, SumHow } from "../intake/sum-homes.ts";
import { sumHomes } from "../intake/sum-homes.ts";
import { PolluxError } from "../model/error.ts";

/** Taking in much for the first time takes a while: here is told what it cost, before that. */
export class UnkeptDesk implements Unkept {
  readonly #homes: readonly Home[];
  readonly #told: { archive: () => Archive; nowMs: number };

  constructor(homes: readonly Home[], told: { archive: () => Archive; nowMs: number }) {
    this.#homes = homes;
    this.#told = told;
  }

  skim(): Promise<Skimmed | undefined> {
    return skimHomes(this.#homes);
  }

  async sum(how: () => Promise<SumHow>): Promise<Summed | undefined> {
    const told = await how();
    const known = this.#use((skims) => skims.find(told.name)) ?? new Map<string, SkimSum>();
    const summed = await sumHomes(this.#homes, told, { known, nowMs: this.#told.nowMs });
    if (summed && summed.news.size > 0) this.#use((skims) => skims.put(told.name, summed.news));
    return summed;
  }

  /** Remembering is a convenience: where no archive can be made, all is skimmed again. */
  #use<T>(use: (skims: Skims) => T): T | undefined {
    try {
      return use(this.#told.archive().skims);
    } catch (error) {
      if (error instanceof PolluxError) return undefined;
      throw error;
    }
  }
}
