import type { People } from "./people.ts";
import { escapePattern, HOME_NEEDLES, HOME_PATTERN, namePattern } from "./people.ts";
import type { FoundSecret } from "./secret.ts";

/** What was masked, as written into exports. */
export interface RedactionCounts {
  /** Number of different secrets, and of masked occurrences. */
  secrets: { kind: string; values: number; masked: number }[];
  homePaths: number;
  userNames: number;
}

interface Known {
  kind: string;
  mask: string;
}

/**
 * Replaces secrets, home folders and account names by masks. The same thing always gets the same
 * mask, numbered in the order of discovery: `[secret:google-api-key#1]`, `[home]`, `[user]`.
 */
export class Masker {
  readonly #secrets = new Map<string, Known>();
  readonly #numbers = new Map<string, number>();
  readonly #homes = new Map<string, string>();
  /** Home folders in unusual locations; they match only by their exact path. */
  readonly #oddHomes = new Set<string>();
  readonly #names = new Map<string, string>();
  #pattern: RegExp | undefined;
  #secretPattern: RegExp | undefined;
  /** A text that contains none of these needs no masking. */
  #needles: readonly string[] = [];
  #masked = new Map<string, number>();

  learnSecrets(found: Iterable<FoundSecret>): void {
    for (const { kind, value } of found) {
      if (this.#secrets.has(value) || value.length < MIN_LENGTH) continue;
      // The same key with other line endings keeps its number.
      const sameKey = `${kind} ${value.replace(/\\[nr]|\s+/g, "")}`;
      const number = this.#numbers.get(sameKey) ?? this.#next(kind);
      this.#numbers.set(sameKey, number);
      this.#secrets.set(value, { kind, mask: `[secret:${kind}#${number}]` });
      this.#pattern = undefined;
      this.#secretPattern = undefined;
    }
  }

  learnPeople({ homes, names }: People): void {
    for (const home of homes) {
      this.#homeMask(home);
      if (!isHomeByPattern(home)) this.#oddHomes.add(home);
    }
    this.#pattern = undefined;
    for (const name of names) {
      if (this.#names.has(name)) continue;
      this.#names.set(name, numbered("user", this.#names.size + 1));
    }
  }

  maskOf(value: string): string | undefined {
    return this.#secrets.get(value)?.mask;
  }

  mask(text: string): string {
    this.#pattern ??= this.#build();
    // Most texts need no masking, and this check is much faster than the pattern.
    if (!this.#needles.some((needle) => text.includes(needle))) return text;
    return text.replace(this.#pattern, (found) => this.#replace(found));
  }

  /** Masks text that is already counted elsewhere. */
  maskRepeated(text: string): string {
    const counted = this.#masked;
    this.#masked = new Map();
    const masked = this.mask(text);
    this.#masked = counted;
    return masked;
  }

  maskSecrets(text: string): string {
    this.#secretPattern ??= this.#buildSecrets();
    if (this.#secrets.size === 0) return text;
    return text.replace(this.#secretPattern, (found) => this.#replace(found));
  }

  /** Called for every file that is written. */
  resetCounts(): void {
    this.#masked = new Map();
  }

  /** What was masked since the last reset. */
  counts(): RedactionCounts {
    const counts = this.#masked;
    const kinds = new Map<string, { values: Set<string>; masked: number }>();
    for (const { kind, mask } of this.#secrets.values()) {
      const masked = counts.get(mask) ?? 0;
      if (masked === 0) continue;
      const known = kinds.get(kind) ?? { values: new Set(), masked: 0 };
      if (!known.values.has(mask)) known.masked += masked;
      known.values.add(mask);
      kinds.set(kind, known);
    }
    return {
      secrets: [...kinds].map(([kind, { values, masked }]) => {
        return { kind, values: values.size, masked };
      }),
      homePaths: counts.get("home") ?? 0,
      userNames: counts.get("user") ?? 0,
    };
  }

  #replace(found: string): string {
    const secret = this.#secrets.get(found);
    if (secret) return this.#count(secret.mask, secret.mask);
    const name = this.#names.get(found);
    if (name !== undefined) return this.#count("user", name);
    return this.#count("home", this.#homeMask(found));
  }

  #count(what: string, mask: string): string {
    this.#masked.set(what, (this.#masked.get(what) ?? 0) + 1);
    return mask;
  }

  #homeMask(home: string): string {
    const key = homeKey(home);
    const known = this.#homes.get(key);
    if (known !== undefined) return known;
    const mask = numbered("home", this.#homes.size + 1);
    this.#homes.set(key, mask);
    return mask;
  }

  #next(kind: string): number {
    const number = (this.#numbers.get(kind) ?? 0) + 1;
    this.#numbers.set(kind, number);
    return number;
  }

  /** A single pattern, so that no mask is masked again. */
  #build(): RegExp {
    const known = [...this.#secrets.keys(), ...this.#oddHomes, ...this.#names.keys()];
    this.#needles = [...HOME_NEEDLES, ...known];
    const homes = [...this.#oddHomes].map((home) => `${escapePattern(home)}(?![\\w.-])`);
    const names = [...this.#names.keys()].toSorted(byLength).map((name) => namePattern(name));
    const parts = [this.#buildSecrets().source, HOME_PATTERN, ...homes, ...names];
    return new RegExp(parts.filter((part) => part !== "(?:)").join("|"), "g");
  }

  /** Longer secrets first, so that the longest match wins. */
  #buildSecrets(): RegExp {
    const values = [...this.#secrets.keys()].toSorted(byLength);
    return new RegExp(values.map((value) => escapePattern(value)).join("|"), "g");
  }
}

function byLength(a: string, b: string): number {
  return b.length - a.length;
}

/** Shorter values would match inside words. */
const MIN_LENGTH = 5;

function isHomeByPattern(home: string): boolean {
  return new RegExp(`^(?:${HOME_PATTERN})$`).test(home);
}

function numbered(word: string, number: number): string {
  return number === 1 ? `[${word}]` : `[${word}#${number}]`;
}

/** One key for all spellings of a home folder: `C:\\Users\\Ada` and `/c/Users/ada`. */
function homeKey(home: string): string {
  const path = home.replace(/\\+/g, "/").replace(/^\/(?:mnt\/)?([a-z])\/(?=users\/)/i, "$1:/");
  return /^[a-z]:/i.test(path) ? path.toLowerCase() : path;
}
