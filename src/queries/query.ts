import { PolluxError } from "../core/error.ts";
import type { SearchExpression } from "../core/filter/search-expression.ts";

/**
 * Parses the search language:
 *
 *     refresh token          both words, anywhere in the text
 *     "refresh token"        one after the other
 *     refresh OR token       refresh NOT token      (a OR b) c
 *     migra*                 words with this prefix
 */
export function parseQuery(text: string): SearchExpression {
  const parser = new Parser(text, tokensOf(text));
  return parser.whole();
}

interface Token {
  kind: "word" | "phrase" | "and" | "or" | "not" | "open" | "close";
  text: string;
  isPrefix: boolean;
  /** Start and end in the query. */
  at: number;
  end: number;
}

const OPERATORS: ReadonlyMap<string, Token["kind"]> = new Map([
  ["AND", "and"],
  ["OR", "or"],
  ["NOT", "not"],
]);

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const token = tokenAt(text, at);
    if (token) tokens.push(token);
    at = token?.end ?? at + 1;
  }
  return tokens;
}

function tokenAt(text: string, at: number): Token | undefined {
  const first = text.charAt(at);
  if (/\s/.test(first)) return undefined;
  if (first === "(" || first === ")") {
    const kind = first === "(" ? "open" : "close";
    return { kind, text: first, isPrefix: false, at, end: at + 1 };
  }
  return first === '"' ? phraseAt(text, at) : wordAt(text, at);
}

function phraseAt(text: string, at: number): Token {
  const close = text.indexOf('"', at + 1);
  if (close === -1) throw wrong(text, at, 'a quoted phrase is not closed: a " is missing');
  const isPrefix = text.charAt(close + 1) === "*";
  const end = close + (isPrefix ? 2 : 1);
  return searchable(text, { kind: "phrase", text: text.slice(at + 1, close), isPrefix, at, end });
}

function wordAt(text: string, at: number): Token {
  const [whole] = /^[^\s()"]+/.exec(text.slice(at)) ?? [""];
  const end = at + whole.length;
  const operator = OPERATORS.get(whole);
  if (operator) return { kind: operator, text: whole, isPrefix: false, at, end };
  const isPrefix = whole.endsWith("*");
  const word = isPrefix ? whole.slice(0, -1) : whole;
  return searchable(text, { kind: "word", text: word, isPrefix, at, end });
}

/** Rejects tokens without a letter or digit: punctuation is not indexed. */
function searchable(query: string, token: Token): Token {
  if (/[\p{L}\p{N}\p{Co}]/u.test(token.text)) return token;
  throw wrong(query, token.at, "nothing to search for: it contains no letter or digit");
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  whole(): SearchExpression {
    if (this.#tokens.length === 0) throw wrong(this.#text, 0, "it is empty");
    const query = this.#either();
    const rest = this.#tokens[this.#next];
    if (rest) throw this.#wrong(rest, 'a ")" has no matching "("');
    return query;
  }

  #either(): SearchExpression {
    const parts = [this.#all()];
    while (this.#take("or")) parts.push(this.#all());
    return single("or", parts);
  }

  /** Terms joined by AND, some of them negated. */
  #all(): SearchExpression {
    const wanted: SearchExpression[] = [];
    const unwanted: SearchExpression[] = [];
    const from = this.#tokens[this.#next];
    for (;;) {
      const list = this.#take("not") ? unwanted : wanted;
      list.push(this.#term());
      const isMore = this.#take("and") !== undefined || this.#isAt("word", "phrase", "open", "not");
      if (!isMore) break;
    }
    if (wanted.length === 0) throw this.#wrong(from, "NOT needs another word to search for");
    const all = single("and", wanted);
    return unwanted.length === 0
      ? all
      : { kind: "not", wanted: all, unwanted: single("or", unwanted) };
  }

  #term(): SearchExpression {
    const token = this.#tokens[this.#next];
    if (token?.kind === "open") return this.#group(token);
    if (token?.kind === "word" || token?.kind === "phrase") {
      this.#next += 1;
      return { kind: "phrase", text: token.text, isPrefix: token.isPrefix };
    }
    const before = this.#tokens[this.#next - 1];
    if (before)
      throw this.#wrong(before, `something to search for is missing after ${before.text}`);
    throw this.#wrong(token, `something to search for is missing before ${token?.text ?? "it"}`);
  }

  #group(open: Token): SearchExpression {
    this.#next += 1;
    if (this.#isAt("close")) throw this.#wrong(open, "there is nothing between ( and )");
    const query = this.#either();
    if (!this.#take("close")) throw this.#wrong(open, 'a "(" is not closed');
    return query;
  }

  #take(kind: Token["kind"]): Token | undefined {
    const token = this.#tokens[this.#next];
    if (token?.kind !== kind) return undefined;
    this.#next += 1;
    return token;
  }

  #isAt(...kinds: Token["kind"][]): boolean {
    const token = this.#tokens[this.#next];
    return token !== undefined && kinds.includes(token.kind);
  }

  #wrong(token: Token | undefined, what: string): PolluxError {
    return wrong(this.#text, token?.at ?? this.#text.length, what);
  }
}

function single(kind: "and" | "or", parts: SearchExpression[]): SearchExpression {
  const [first] = parts;
  return first && parts.length === 1 ? first : { kind, parts };
}

/** An error with its position, counted in characters from 1. */
function wrong(text: string, at: number, what: string): PolluxError {
  const place = Array.from(text.slice(0, at)).length + 1;
  return new PolluxError("bad-query", `Invalid query at character ${place}: ${what}.`, {
    remedy: 'Supported: words, "phrases", prefix*, AND, OR, NOT and parentheses.',
  });
}
