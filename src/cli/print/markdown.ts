import type { Token } from "markdown-it";
import { safeBlock } from "./safe.ts";
import type { Style } from "./style.ts";
import { widthOf, wrap } from "./width.ts";

/** Renders Markdown as lines for a terminal. */
export type MarkdownLines = (text: string, columns: number) => string[];

/** Loads the parser only when it is needed. */
export async function loadMarkdownLines(style: Style): Promise<MarkdownLines> {
  const { default: MarkdownIt } = await import("markdown-it");
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  return (text, columns) => {
    const tokens = markdown.parse(safeBlock(text), {});
    return new TerminalPage(style, columns).lines(tokens);
  };
}

/** A word and its style. */
interface Word {
  text: string;
  paint: (text: string) => string;
  /** Follows the previous word without a space. */
  isGlued: boolean;
}

const BREAK: Word = { text: "\n", paint: (text) => text, isGlued: true };
const MOST_INDENT = 24;

class TerminalPage {
  readonly #style: Style;
  readonly #columns: number;
  readonly #lines: string[] = [];
  /**
   * Prefixes of the lines of each open list item or quote; `first` is a marker that is used once.
   */
  readonly #margins: { first: string | undefined; rest: string }[] = [];
  readonly #numbers: (number | undefined)[] = [];

  constructor(style: Style, columns: number) {
    this.#style = style;
    this.#columns = columns;
  }

  lines(tokens: readonly Token[]): string[] {
    for (const [at, token] of tokens.entries()) this.#block(token, tokens[at - 1]);
    while (this.#lines.at(-1)?.trim() === "") this.#lines.pop();
    return this.#lines;
  }

  #block(token: Token, before: Token | undefined): void {
    switch (token.type) {
      case "inline":
        return this.#inline(token, before);
      case "fence":
      case "code_block":
        return this.#code(token.content);
      case "hr":
        this.#put([this.#style.dim("─".repeat(Math.min(this.#room, 40)))]);
        return this.#gap();
      case "bullet_list_open":
        return void this.#numbers.push(undefined);
      case "ordered_list_open":
        return void this.#numbers.push(Number(token.attrGet("start") ?? 1));
      case "list_item_open":
        return this.#openItem();
      case "blockquote_open":
        return void this.#margins.push({ first: undefined, rest: "│ " });
      case "list_item_close":
      case "blockquote_close":
        return void this.#margins.pop();
      case "bullet_list_close":
      case "ordered_list_close":
        this.#numbers.pop();
        return this.#numbers.length === 0 ? this.#gap() : undefined;
      case "tr_close":
        return this.#put([this.#row.splice(0).join(this.#style.dim(" │ "))]);
      case "paragraph_close":
      case "heading_close":
      case "table_close":
        return token.hidden ? undefined : this.#gap();
      default:
        return undefined;
    }
  }

  #openItem(): void {
    const number = this.#numbers.at(-1);
    const marker = number === undefined ? "• " : `${number}. `;
    if (number !== undefined) this.#numbers[this.#numbers.length - 1] = number + 1;
    this.#margins.push({ first: marker, rest: " ".repeat(marker.length) });
  }

  readonly #row: string[] = [];

  #inline({ children }: Token, before: Token | undefined): void {
    const isHeading = before?.type === "heading_open";
    const words = wordsOf(children ?? [], this.#style, isHeading);
    const isCell = before?.type === "th_open" || before?.type === "td_open";
    if (isCell) this.#row.push(flow(words, Number.POSITIVE_INFINITY).join(" "));
    else this.#put(flow(words, this.#room));
  }

  /** Code is kept as it is; only lines that are too long are broken. */
  #code(text: string): void {
    const lines = wrap(text.replace(/\n$/, ""), this.#room - 2);
    this.#put(lines.map((line) => `  ${this.#style.cyan(line)}`));
    this.#gap();
  }

  get #indent(): number {
    return this.#margins.reduce((sum, { rest }) => sum + rest.length, 0);
  }

  get #room(): number {
    return Math.max(this.#columns - Math.min(this.#indent, MOST_INDENT), 10);
  }

  #put(lines: readonly string[]): void {
    for (const line of lines) {
      const margin = this.#margins.map((each) => {
        const { first, rest } = each;
        each.first = undefined;
        return first ?? rest;
      });
      this.#lines.push(`${this.#style.dim(margin.join(""))}${line}`);
    }
  }

  /** An empty line between blocks, but not within a list. */
  #gap(): void {
    if (this.#numbers.length === 0 && this.#lines.at(-1) !== "") this.#lines.push("");
  }
}

/** The words of a paragraph with their styles. */
function wordsOf(tokens: readonly Token[], style: Style, isHeading: boolean): Word[] {
  const words: Word[] = [];
  let [strong, link] = [isHeading ? 1 : 0, ""];
  let isGlued = true;
  const add = (text: string, paint: Word["paint"]): void => {
    // A decoded entity may be unsafe for a terminal.
    for (const [at, part] of safeBlock(text).split(/ +/).entries()) {
      if (at > 0) isGlued = false;
      if (part !== "") words.push({ text: part, paint, isGlued });
      if (part !== "") isGlued = true;
    }
  };
  const plain = (text: string): string => (strong > 0 ? style.bold(text) : text);
  for (const token of tokens) {
    const { type, content } = token;
    if (type === "text") add(content, strong > 0 ? (text) => style.bold(text) : (text) => text);
    else if (type === "code_inline") add(content, (text) => style.cyan(text));
    else if (type === "strong_open") strong += 1;
    else if (type === "strong_close") strong -= 1;
    else if (type === "softbreak") isGlued = false;
    else if (type === "hardbreak") words.push(BREAK);
    else if (type === "image") add(`[image: ${content}]`, (text) => style.dim(text));
    else if (type === "link_open") link = String(token.attrGet("href") ?? "");
    else if (type === "link_close") {
      const shown = words.at(-1)?.text ?? "";
      if (link !== shown) add(` (${link})`, (text) => style.dim(text));
    } else add(content, plain);
  }
  return words;
}

/** Fills lines of at most `columns` columns. */
function flow(words: readonly Word[], columns: number): string[] {
  const lines: string[] = [];
  let [line, width] = ["", 0];
  const end = (): void => {
    lines.push(line);
    [line, width] = ["", 0];
  };
  for (const { text, paint, isGlued } of words) {
    if (text === "\n") {
      end();
      continue;
    }
    const space = isGlued || line === "" ? 0 : 1;
    const wide = widthOf(text);
    if (width > 0 && width + space + wide > columns) end();
    const pieces = wide > columns ? wrap(text, columns) : [text];
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) end();
      const gap = at === 0 && space === 1 && line !== "" ? " " : "";
      line += gap + paint(piece);
      width += gap.length + widthOf(piece);
    }
  }
  if (line !== "") lines.push(line);
  return lines;
}
