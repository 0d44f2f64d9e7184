import type { Team } from "../store/team.ts";

/** Machines send in bursts: reading begins when they rest. */
const SETTLE_MS = 300;

export interface QueueOptions {
  /** Reads what arrived of a person. */
  read: (person: number) => Promise<unknown>;
  /** Told of what failed; what is not read stays known, and is tried with the next that arrives. */
  report: (error: unknown) => void;
  /** Something new of a person can be asked for. */
  done: (person: number) => void;
}

/** Reads what arrived, one person after the other. */
export class ReadQueue {
  readonly #team: Team;
  readonly #options: QueueOptions;
  readonly #waiting = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(team: Team, options: QueueOptions) {
    this.#team = team;
    this.#options = options;
  }

  /** What was left unread when a server ended. */
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

  /** Ends after what is being read. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting.clear();
    await this.#running;
  }
}
