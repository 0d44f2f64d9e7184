import type { Query } from "../../../core/search-expression.ts";
import { phrasesOf } from "../../../core/search-expression.ts";
import type { Counts, Flags, FoundPhrase } from "./count-phrase.ts";
import { findPhrase, mostTexts, PhraseCounter } from "./count-phrase.ts";
import type { PartReader } from "./part-reader.ts";
import type { Phrase } from "./words-of.ts";
import { phraseOf } from "./words-of.ts";

interface PhraseWish {
  text: string;
  isPrefix: boolean;
}

/** Which texts of a part are looked at. */
export type Meant = "all" | "none" | Flags;

/** What a part has to say to a query. */
export interface PartAnswer {
  /** 1 for a text that matches; nothing when none does. */
  flags: Flags | undefined;
  /** Of each wanted phrase, how often it stands in the texts that match. */
  counts: (Counts | undefined)[];
  /** And in how many texts at most. */
  spread: number[];
}

/** A query whose words are cut as those of the index are. */
export class WordQuery {
  readonly #query: Query;
  readonly #phrases = new Map<string, Phrase>();
  readonly #counter = new PhraseCounter();
  /** The phrases that make a text worth more. */
  readonly wanted: readonly PhraseWish[];

  constructor(query: Query) {
    this.#query = query;
    this.wanted = [...new Map(phrasesOf(query).map((one) => [keyOf(one), one])).values()];
  }

  match(part: PartReader, meant: Meant): PartAnswer {
    const found = new FoundPhrases(part, this.#counter, (one) => this.#phrase(one));
    const within = typeof meant === "string" ? undefined : meant;
    const flags = meant === "none" ? undefined : evaluate(this.#query, found, within);
    const counts = this.wanted.map((one) => found.counts.get(keyOf(one)));
    return { flags, counts, spread: this.wanted.map((one) => found.most(one)) };
  }

  #phrase(one: PhraseWish): Phrase {
    const key = keyOf(one);
    const known = this.#phrases.get(key) ?? phraseOf(one.text, one.isPrefix);
    this.#phrases.set(key, known);
    return known;
  }
}

function keyOf({ text, isPrefix }: PhraseWish): string {
  return `${isPrefix ? "*" : " "}${text}`;
}

/** The phrases of a query in one part. */
class FoundPhrases {
  readonly counts: Map<string, Counts> = new Map();
  readonly #part: PartReader;
  readonly #counter: PhraseCounter;
  readonly #phraseOf: (one: PhraseWish) => Phrase;
  readonly #found = new Map<string, FoundPhrase | undefined>();

  constructor(part: PartReader, counter: PhraseCounter, phrase: (one: PhraseWish) => Phrase) {
    this.#part = part;
    this.#counter = counter;
    this.#phraseOf = phrase;
  }

  /** In how many texts at most. */
  most(one: PhraseWish): number {
    const found = this.#find(one);
    // Words that begin alike may stand in the same texts.
    return found ? Math.min(mostTexts(found), this.#part.count) : 0;
  }

  /** Which texts hold it, of those that are looked at. */
  flags(one: PhraseWish, within: Flags | undefined): Flags | undefined {
    const found = this.#find(one);
    const counts = found && this.#counter.count(this.#part, found, within);
    if (!counts) return undefined;
    this.#remember(keyOf(one), counts);
    const flags = new Uint8Array(counts.length);
    for (let text = 0; text < flags.length; text += 1) {
      flags[text] = counts[text] === 0 || within?.[text] === 0 ? 0 : 1;
    }
    return flags;
  }

  /** A phrase may stand in a query twice, and be looked for in other texts each time. */
  #remember(key: string, counts: Counts): void {
    const known = this.counts.get(key);
    if (!known) this.counts.set(key, counts);
    else counts.forEach((count, text) => (known[text] = Math.max(known[text] ?? 0, count)));
  }

  #find(one: PhraseWish): FoundPhrase | undefined {
    const key = keyOf(one);
    if (!this.#found.has(key)) this.#found.set(key, findPhrase(this.#part, this.#phraseOf(one)));
    return this.#found.get(key);
  }
}

/** Texts that match, of those that are looked at (all, when none are told). */
function evaluate(query: Query, found: FoundPhrases, within: Flags | undefined): Flags | undefined {
  switch (query.kind) {
    case "phrase":
      return found.flags(query, within);
    case "and":
      return all(query.parts, found, within);
    case "or":
      return any(query.parts, found, within);
    case "not":
      return without(query, found, within);
    default:
      return query satisfies never;
  }
}

/** What stands in few texts is looked for first: then the others are looked for in those alone. */
function all(
  parts: readonly Query[],
  found: FoundPhrases,
  within: Flags | undefined,
): Flags | undefined {
  const inOrder = parts
    .map((part) => ({ part, most: mostOf(part, found) }))
    .toSorted((a, b) => a.most - b.most);
  let flags = within;
  for (const { part } of inOrder) {
    flags = evaluate(part, found, flags);
    if (!flags) return undefined;
  }
  return flags;
}

function any(
  parts: readonly Query[],
  found: FoundPhrases,
  within: Flags | undefined,
): Flags | undefined {
  let flags: Flags | undefined;
  for (const part of parts) {
    const more = evaluate(part, found, within);
    if (!more) continue;
    if (!flags) flags = more;
    else for (let text = 0; text < more.length; text += 1) if (more[text] === 1) flags[text] = 1;
  }
  return flags;
}

function without(
  { wanted, unwanted }: Query & { kind: "not" },
  found: FoundPhrases,
  within: Flags | undefined,
): Flags | undefined {
  const flags = evaluate(wanted, found, within);
  const others = flags && evaluate(unwanted, found, flags);
  if (!flags || !others) return flags;
  for (let text = 0; text < flags.length; text += 1) if (others[text] === 1) flags[text] = 0;
  return flags;
}

/** In how many texts at most a query can be answered. */
function mostOf(query: Query, found: FoundPhrases): number {
  switch (query.kind) {
    case "phrase":
      return found.most(query);
    case "and":
      return Math.min(...query.parts.map((part) => mostOf(part, found)));
    case "or":
      return query.parts.reduce((sum, part) => sum + mostOf(part, found), 0);
    case "not":
      return mostOf(query.wanted, found);
    default:
      return query satisfies never;
  }
}
