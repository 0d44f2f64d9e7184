/** The answer to the latest query; answers to older queries are dropped. */
export class LatestAnswer<T> {
  value: T | undefined;
  error: string | undefined;
  isWaiting = false;
  readonly #changed: () => void;
  #turn = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Drops the answer, because it belongs to another query. */
  forget(): void {
    this.#turn += 1;
    this.value = undefined;
    this.error = undefined;
    this.isWaiting = false;
  }

  async ask(question: () => Promise<T>): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.isWaiting = true;
    try {
      const value = await question();
      if (turn !== this.#turn) return;
      this.value = value;
      this.error = undefined;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.isWaiting = false;
    this.#changed();
  }
}
