import type { Team } from "../store/team.ts";

/** Delay before reading, because machines send in bursts. */
const SETTLE_MS = 300;

export interface QueueOptions {
  /** Reads a person's unread files. */
  read: (person: number) => Promise<unknown>;
  /** Called with a failure. Unread files stay known and are read with the next ones that arrive. */
  report: (error: unknown) => void;
  /** Called when new data of a person can be queried. */
  done: (person: number) => void;
}

/** Reads sent files, one person at a time. */
export class IngestQueue {
  readonly #team: Team;
  readonly #options: QueueOptions;
  readonly #waiting = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(team: Team, options: QueueOptions) {
    this.#team = team;
    this.#options = options;
  }

  /** Queues files that were unread when the server last stopped. */
  async begin(): Promise<void> {
    for (const { id } of await this.#team.people.list()) {
      const store = this.#team.storeOf({ viewer: id, role: "developer" });
      if ((await store.unread()).length > 0) this.add(id);
    }
  }

  add(person: number): void {
    this.#waiting.add(person);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#running.then(() => this.#run());
    }, SETTLE_MS);
  }

  async #run(): Promise<void> {
    const { read, done, report } = this.#options;
    for (const person of this.#waiting) {
      this.#waiting.delete(person);
      try {
        await read(person);
        done(person);
      } catch (error) {
        report(error);
      }
    }
  }

  /** Waits for the running read, and drops the rest of the queue. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting.clear();
    await this.#running;
  }
}
