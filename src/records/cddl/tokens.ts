import type { Position } from "./syntax.ts";
import { CddlFault } from "./syntax.ts";

export interface Token {
  kind: "name" | "text" | "bytes" | "integer" | "float" | "control" | "tag" | "sign" | "end";
  text: string;
  at: Position;
}

/**
 * One alternative per kind of token, tried in this order:
 *
 *     session-id   "user"   h'0a'   12   1.5   .regexp   #6.18
 *     => // ... .. ? * + ^ : , / = ( ) [ ] { }
 */
const TOKEN = new RegExp(
  [
    String.raw`(?<skip>(?:[ \t\r\n]+|;[^\n]*)+)`,
    String.raw`(?<bytes>h'[0-9A-Fa-f\s]*')`,
    String.raw`(?<name>[A-Za-z@_$](?:[-.]*[A-Za-z0-9@_$])*)`,
    String.raw`(?<text>"(?:[^"\\\u0000-\u001f]|\\.)*")`,
    String.raw`(?<float>-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+))`,
    String.raw`(?<integer>-?(?:0x[0-9A-Fa-f]+|0b[01]+|\d+))`,
    String.raw`(?<control>\.[a-z][a-z0-9-]*)`,
    String.raw`(?<tag>#6\.\d+)`,
    String.raw`(?<sign>=>|\/\/=|\/=|\/\/|\.\.\.|\.\.|[=?*+^:,/()[\]{}<>~&#'])`,
  ].join("|"),
  "y",
);

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const positions = new Positions(text);
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    const [kind, found] =
      Object.entries(groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    if (kind === undefined || found === undefined) {
      throw new CddlFault(positions.at(at), `${JSON.stringify(text[at])} is not understood`);
    }
    if (kind !== "skip") {
      tokens.push({ kind: kind as Token["kind"], text: found, at: positions.at(at) });
    }
    at += found.length;
  }
  tokens.push({ kind: "end", text: "the end", at: positions.at(at) });
  return tokens;
}

class Positions {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;
  #seen = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Call only with increasing offsets. */
  at(offset: number): Position {
    for (let at = this.#seen; at < offset; at += 1) {
      if (this.#text[at] !== "\n") continue;
      this.#line += 1;
      this.#lineStart = at + 1;
    }
    this.#seen = offset;
    return { line: this.#line, column: offset - this.#lineStart + 1 };
  }
}
