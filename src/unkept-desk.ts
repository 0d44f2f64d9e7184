import type { Archive, SkimSum, Skims } from "./archive/archive.ts";
import type { Home } from "./intake/gather.ts";
import type { Unkept } from "./intake/shelf.ts";
import type { Skimmed } from "./intake/skim-homes.ts";
import { skimHomes } from "./intake/skim-homes.ts";
import type { Summed, SumHow } from "./intake/sum-homes.ts";
import { sumHomes } from "./intake/sum-homes.ts";
import { PolluxError } from "./model/error.ts";

interface Wish {
  archive: () => Archive;
  /** What lies on the disk; nothing when it is kept, or so little that it is taken in at once. */
  homes: () => readonly Home[] | undefined;
  nowMs: () => number;
}

/** Taking in much for the first time takes a while: here is told what it cost, before that. */
export class UnkeptDesk implements Unkept {
  readonly #wish: Wish;

  constructor(wish: Wish) {
    this.#wish = wish;
  }

  async skim(): Promise<Skimmed | undefined> {
    const homes = this.#wish.homes();
    return homes && skimHomes(homes);
  }

  async sum(how: () => Promise<SumHow>): Promise<Summed | undefined> {
    const homes = this.#wish.homes();
    if (!homes) return undefined;
    const told = await how();
    const known = this.#use((skims) => skims.find(told.name)) ?? new Map<string, SkimSum>();
    const summed = await sumHomes(homes, told, { known, nowMs: this.#wish.nowMs() });
    if (summed && summed.news.size > 0) this.#use((skims) => skims.put(told.name, summed.news));
    return summed;
  }

  /** Remembering is a convenience: where no archive can be made, all is skimmed again. */
  #use<T>(use: (skims: Skims) => T): T | undefined {
    try {
      return use(this.#wish.archive().skims);
    } catch (error) {
      if (error instanceof PolluxError) return undefined;
      throw error;
    }
  }
}
