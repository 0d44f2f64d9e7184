import { Masker } from "./masker.ts";
import { loadScanner } from "./scanner.ts";
import type { Scanner } from "./secret.ts";
import { TEXT_BORDER } from "./secret.ts";
import { mapStrings, visitStrings } from "./strings.ts";

/** A shorter text holds no secret. */
const SHORTEST = 5;

/**
 * Masks secrets and nothing else, in answers that stay with their owner: folders and names are
 * needed there. Once seen, a secret has the same mask in every answer.
 */
export class SecretMask {
  readonly #masker = new Masker();
  readonly #scanner: Scanner;

  private constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Throws when the search for secrets does not work: nothing is then taken for clean. */
  static async load(scanner?: Scanner): Promise<SecretMask> {
    return new SecretMask(scanner ?? (await loadScanner()));
  }

  /** Loads the rules with the first answer: whoever asks waits for it, and not before. */
  static later(): Pick<SecretMask, "mask"> {
    let loading: Promise<SecretMask> | undefined;
    return {
      async mask(value) {
        loading ??= SecretMask.load();
        return (await loading).mask(value);
      },
    };
  }

  /** The same value, with the secrets in all its texts masked. */
  async mask<T>(value: T): Promise<T> {
    const texts: string[] = [];
    visitStrings(value, (text) => {
      if (text.length >= SHORTEST) texts.push(text);
    });
    this.#masker.learnSecrets(await this.#scanner.scan(texts.join(TEXT_BORDER)));
    return mapStrings(value, (text) => this.#masker.maskSecrets(text));
  }
}
