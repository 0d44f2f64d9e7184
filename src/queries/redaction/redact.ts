import type { Session } from "../../core/session.ts";
import type { RedactionCounts } from "./masker.ts";
import { Masker } from "./masker.ts";
import { nameOfHome, peopleOf } from "./people.ts";
import type { ScannedSession } from "./scan-session.ts";
import { scanSession } from "./scan-session.ts";
import { loadScanner } from "./scanner.ts";
import type { Scanner } from "./secret.ts";
import { mapStrings } from "./strings.ts";

export interface RedactorOptions {
  /** The home folder of the person at this machine. */
  homeDir?: string;
  scanner?: Scanner;
}

/** Masks sessions; one redactor gives the same thing the same mask in all of them. */
export class Redactor {
  readonly #masker = new Masker();
  readonly #scanner: Scanner;
  readonly #homeDir: string | undefined;

  private constructor(scanner: Scanner, homeDir: string | undefined) {
    this.#scanner = scanner;
    this.#homeDir = homeDir;
  }

  static async load({ homeDir, scanner }: RedactorOptions): Promise<Redactor> {
    return new Redactor(scanner ?? (await loadScanner()), homeDir);
  }

  /** Looks for what must be masked; throws when it could not look. */
  async learn(session: ScannedSession): Promise<void> {
    this.#masker.learnPeople(peopleOf(session));
    const home = this.#homeDir ?? "";
    // Sessions may come from another machine: the home they belong to is the first.
    if (home.length > 2) this.#masker.learnPeople({ homes: [home], names: nameOfHome(home) });
    this.#masker.learnSecrets(await scanSession(session, this.#scanner));
  }

  /** The session as it may leave the machine. It is looked at before: nothing slips through. */
  async redact(session: Session): Promise<Session> {
    await this.learn(session);
    return this.mask(session);
  }

  /** Masks what is known so far in every text of a value. */
  mask<T>(value: T): T {
    const masker = this.#masker;
    return mapStrings(value, (text, role) => {
      if (role === "words") return masker.mask(text);
      return role === "repeated" ? masker.maskRepeated(text) : masker.maskSecrets(text);
    });
  }

  /** A session in outline: its messages are masked, and counted, when they are read in full. */
  maskOutline(session: Session): Session {
    const messages = mapStrings(session.messages, (text) => this.#masker.maskRepeated(text));
    return { ...this.mask({ ...session, messages: [] }), messages };
  }

  resetCounts(): void {
    this.#masker.resetCounts();
  }

  counts(): RedactionCounts {
    return this.#masker.counts();
  }
}
