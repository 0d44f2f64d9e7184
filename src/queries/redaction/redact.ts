import type { Session } from "../../core/session/session.ts";
import type { RedactionCounts } from "./masker.ts";
import { Masker } from "./masker.ts";
import { nameOfHome, peopleOf } from "./people.ts";
import type { ScannedSession } from "./scan-session.ts";
import { scanSession } from "./scan-session.ts";
import { loadScanner } from "./scanner.ts";
import type { Scanner } from "./secret.ts";
import { mapStrings } from "./strings.ts";

export interface RedactorOptions {
  /** The current user's home folder. */
  homeDir?: string;
  scanner?: Scanner;
}

/** Masks sessions; one redactor uses the same mask for the same value in all of them. */
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

  /** Collects what must be masked; throws if the scan fails. */
  async learn(session: ScannedSession): Promise<void> {
    this.#masker.learnPeople(peopleOf(session));
    const home = this.#homeDir ?? "";
    // Sessions may come from another machine; their own home gets the first number.
    if (home.length > 2) this.#masker.learnPeople({ homes: [home], names: nameOfHome(home) });
    this.#masker.learnSecrets(await scanSession(session, this.#scanner));
  }

  /** The session as it may leave the machine; it is scanned before masking. */
  async redact(session: Session): Promise<Session> {
    await this.learn(session);
    return this.mask(session);
  }

  /** Masks all known values in every string. */
  mask<T>(value: T): T {
    const masker = this.#masker;
    return mapStrings(value, (text, role) => {
      if (role === "words") return masker.mask(text);
      return role === "repeated" ? masker.maskRepeated(text) : masker.maskSecrets(text);
    });
  }

  /** Masks an outline without counting: its messages are counted when they are read in full. */
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
