import type { Deletion } from "../queries/doctor/deletion.ts";
import type { Library } from "../library/library.ts";
import { LatestAnswer } from "./latest-answer.ts";
import type { HomeContext } from "./screen.ts";

/** What is kept, and what would be lost. */
export interface Safety {
  sessions: number;
  deletion: Deletion;
  /** Files whose current version is not in the archive; `null` if nothing is kept at all. */
  unkeptFiles: number | null;
}

/** The pause between two checks, as a multiple of their duration. */
const REST_FACTOR = 20;

/** Checks every file on disk, so in a large home it is not run after every change. */
export class SafetyCheck {
  readonly #home: HomeContext;
  readonly #clock: () => number;
  readonly #asked: LatestAnswer<Safety>;
  #dueMs = 0;
  #isLate = false;

  constructor(home: HomeContext, clock: () => number) {
    this.#home = home;
    this.#clock = clock;
    this.#asked = new LatestAnswer(() => home.redraw());
  }

  get answer(): Pick<LatestAnswer<Safety>, "value" | "error"> {
    return this.#asked;
  }

  /** Runs a check that was postponed. */
  catchUp(): void {
    if (this.#isLate) this.ask();
  }

  ask(): void {
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const library = await this.#home.library();
    // It is checked again when everything is kept.
    if (this.#home.isGrowing) return;
    const began = this.#clock();
    this.#isLate = began < this.#dueMs;
    if (this.#isLate) return;
    this.#dueMs = Number.POSITIVE_INFINITY;
    await this.#asked.ask(() => this.#look(library));
    this.#dueMs = this.#clock() + (this.#clock() - began) * REST_FACTOR;
  }

  async #look(library: Library): Promise<Safety> {
    const { total } = await library.review.stretch({}, { limit: 1 });
    const questions = await this.#home.questions();
    const deletion = await questions.deletion(this.#home.now().getTime());
    const archive = await questions.safety();
    return { sessions: total, deletion, unkeptFiles: archive?.unkeptFiles ?? null };
  }
}
