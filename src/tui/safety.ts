import type { Deletion } from "../queries/doctor/deletion.ts";
import type { Library } from "../library/library.ts";
import { LatestAnswer } from "./latest-answer.ts";
import type { HomeContext } from "./screen.ts";

/** What is kept, and what would be lost without it. */
export interface Safety {
  sessions: number;
  deletion: Deletion;
  /** Files that are not in the archive as they are now; `null` when nothing is kept at all. */
  unkeptFiles: number | null;
}

/** It is asked so many times less often than it takes. */
const REST_FACTOR = 20;

/** Looks at every file on the disk: in a large home not after every change, but later. */
export class AskedSafety {
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

  /** What had to wait is asked now. */
  catchUp(): void {
    if (this.#isLate) this.ask();
  }

  ask(): void {
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const library = await this.#home.library();
    // When all is kept, it is asked again.
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
