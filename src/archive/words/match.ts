import type { Query } from "../../model/query.ts";
import { phrasesOf } from "../../model/query.ts";
import type { Counts } from "./count-phrase.ts";
import { countPhrase } from "./count-phrase.ts";
import type { PartReader } from "./part-reader.ts";
import type { Phrase } from "./words-of.ts";
import { phraseOf } from "./words-of.ts";

/** A query whose words are cut as those of the index are. */
export class WordQuery {
  readonly #query: Query;
  readonly #phrases = new Map<string, Phrase>();
  /** The phrases that make a text worth more. */
  readonly wanted: readonly string[];

  constructor(query: Query) {
    this.#query = query;
    this.wanted = [...new Set(phrasesOf(query).map(keyOf))];
  }

  /** Which texts of a part answer the query, and how often each phrase stands in them. */
  match(part: PartReader): { flags: Flags | undefined; counts: (Counts | undefined)[] } {
    const known = new Map<string, Counts | undefined>();
    const count = (one: PhraseWish): Counts | undefined => {
      const key = keyOf(one);
      if (!known.has(key)) known.set(key, countPhrase(part, this.#phrase(one)));
      return known.get(key);
    };
    const flags = evaluate(this.#query, count);
    return { flags, counts: this.wanted.map((key) => known.get(key)) };
  }

  #phrase(one: PhraseWish): Phrase {
    const key = keyOf(one);
    const known = this.#phrases.get(key) ?? phraseOf(one.text, one.isPrefix);
    this.#phrases.set(key, known);
    return known;
  }
}

interface PhraseWish {
  text: string;
  isPrefix: boolean;
}

function keyOf({ text, isPrefix }: PhraseWish): string {
  return `${isPrefix ? "*" : " "}${text}`;
}

/** 1 for a text that matches; nothing when none does. */
export type Flags = Uint8Array;

type Count = (phrase: PhraseWish) => Counts | undefined;

function evaluate(query: Query, count: Count): Flags | undefined {
  switch (query.kind) {
    case "phrase":
      return flagsOf(count(query));
    case "and":
      return all(query.parts, count);
    case "or":
      return any(query.parts, count);
    case "not":
      return without(query, count);
    default:
      return query satisfies never;
  }
}

function flagsOf(counts: Counts | undefined): Flags | undefined {
  if (!counts) return undefined;
  const flags = new Uint8Array(counts.length);
  for (let text = 0; text < flags.length; text += 1) flags[text] = counts[text] === 0 ? 0 : 1;
  return flags;
}

function all(parts: readonly Query[], count: Count): Flags | undefined {
  let flags: Flags | undefined;
  for (const part of parts) {
    const more = evaluate(part, count);
    // The others need not be looked for.
    if (!more) return undefined;
    if (!flags) flags = more;
    else for (let text = 0; text < more.length; text += 1) if (more[text] !== 1) flags[text] = 0;
  }
  return flags;
}

function any(parts: readonly Query[], count: Count): Flags | undefined {
  let flags: Flags | undefined;
  for (const part of parts) {
    const more = evaluate(part, count);
    if (!more) continue;
    if (!flags) flags = more;
    else for (let text = 0; text < more.length; text += 1) if (more[text] === 1) flags[text] = 1;
  }
  return flags;
}

function without(query: Query & { kind: "not" }, count: Count): Flags | undefined {
  const flags = evaluate(query.wanted, count);
  const unwanted = flags && evaluate(query.unwanted, count);
  if (!flags || !unwanted) return flags;
  for (let text = 0; text < flags.length; text += 1) if (unwanted[text] === 1) flags[text] = 0;
  return flags;
}
