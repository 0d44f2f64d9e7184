import { Masker } from "./masker.ts";
import { loadScanner } from "./scanner.ts";
import type { Scanner } from "./secret.ts";
import { TEXT_BORDER } from "./secret.ts";
import { mapStrings, visitStrings } from "./strings.ts";
import type { Session } from "../../core/session/session.ts";
import { scanSession } from "./scan-session.ts";

/** Shorter texts cannot hold a secret. */
const SHORTEST = 5;

/**
 * Masks only secrets, for answers that stay with the user, who needs paths and names. A secret has
 * the same mask in every answer.
 */
export class SecretMask {
  readonly #masker = new Masker();
  readonly #scanner: Scanner;

  private constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Throws if the scanner does not work, so that unscanned text is never treated as clean. */
  static async load(): Promise<SecretMask> {
    return new SecretMask(await loadScanner());
  }

  /** Loads the rules with the first answer, to keep startup fast. */
  static later(): Pick<SecretMask, "mask"> {
    let loading: Promise<SecretMask> | undefined;
    return {
      async mask(value) {
        loading ??= SecretMask.load();
        return (await loading).mask(value);
      },
    };
  }

  /** Returns the value with the secrets in all its strings masked. */
  async mask<T>(value: T): Promise<T> {
    const texts: string[] = [];
    visitStrings(value, (text) => {
      if (text.length >= SHORTEST) texts.push(text);
    });
    this.#masker.learnSecrets(await this.#scanner.scan(texts.join(TEXT_BORDER)));
    return mapStrings(value, (text) => this.#masker.maskSecrets(text));
  }
}

/**
 * Masks the secrets of a session. Paths and names stay, because the session is continued on this
 * machine.
 */
export async function maskSecrets(
  session: Session,
): Promise<{ session: Session; secrets: number }> {
  const masker = new Masker();
  const found = await scanSession(session, await loadScanner());
  if (found.length === 0) return { session, secrets: 0 };
  masker.learnSecrets(found);
  const { project, messages, ...rest } = session;
  const mask = (text: string): string => masker.maskSecrets(text);
  const masked = { ...mapStrings(rest, mask), messages: mapStrings(messages, mask), project };
  return {
    session: masked,
    secrets: masker.counts().secrets.reduce((n, kind) => n + kind.values, 0),
  };
}
