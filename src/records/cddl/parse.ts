import type { ControlName, Group, GroupEntry, MemberKey, Rule, Times, Type } from "./syntax.ts";
import { CddlFault, CONTROLS } from "./syntax.ts";
import type { Token } from "./tokens.ts";
import { tokensOf } from "./tokens.ts";

/** Parses rules in order. Throws an error that names any unsupported construct. */
export function parseCddl(text: string): Rule[] {
  return new Parser(tokensOf(text)).rules();
}

const REFUSED: Readonly<Record<string, string>> = {
  "<": "generic rules",
  "~": "unwrapping (~)",
  "&": "turning a group into a choice (&)",
  "#": "major types and tags other than #6.n(...)",
  "'": "byte strings other than h'...'",
  "/=": "adding to a type (/=)",
  "//=": "adding to a group (//=)",
};

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  rules(): Rule[] {
    const rules: Rule[] = [];
    while (this.#peek().kind !== "end") rules.push(this.#rule());
    if (rules.length === 0) throw new CddlFault(this.#peek().at, "it has no rules");
    return rules;
  }

  #rule(): Rule {
    const { text: name, at } = this.#expect("name");
    if (/[$@]/.test(name)) throw new CddlFault(at, `sockets and plugs (${name}) are not supported`);
    this.#sign("=");
    if (this.#is("(") && this.#isGroupRule()) {
      this.#sign("(");
      const group = this.#group(")");
      this.#sign(")");
      return { name, body: { kind: "group", group }, at };
    }
    return { name, body: { kind: "type", type: this.#type() }, at };
  }

  /** `a = ( … )` is a group if it contains a key, an occurrence or a comma; otherwise a type. */
  #isGroupRule(): boolean {
    let depth = 0;
    for (let index = this.#next; ; index += 1) {
      const token = this.#tokens[index];
      if (!token || token.kind === "end") return false;
      if (token.kind !== "sign") continue;
      if ("([{".includes(token.text)) depth += 1;
      else if (")]}".includes(token.text)) depth -= 1;
      else if (depth === 1 && [":", "=>", ",", "?", "*", "+", "//"].includes(token.text))
        return true;
      if (depth === 0) return false;
    }
  }

  #type(): Type {
    const options = [this.#type1()];
    while (this.#takes("/")) options.push(this.#type1());
    const [only] = options;
    return options.length === 1 && only ? only : { kind: "choice", options };
  }

  #type1(): Type {
    const target = this.#type2();
    const token = this.#peek();
    if (token.kind === "control") return this.#control(target);
    if (token.text !== ".." && token.text !== "...") return target;
    this.#next += 1;
    const end = this.#type2();
    if (!isInteger(target) || !isInteger(end)) {
      throw new CddlFault(token.at, "only ranges of integers are supported");
    }
    const to = token.text === ".." ? end.value : end.value - 1n;
    return { kind: "range", from: target.value, to };
  }

  #control(target: Type): Type {
    const { text, at } = this.#expect("control");
    const name = text.slice(1);
    if (!isControl(name)) throw new CddlFault(at, `the control ${text} is not supported`);
    return { kind: "control", name, target, argument: this.#type2() };
  }

  #type2(): Type {
    const token = this.#take();
    if (token.kind === "name") return { kind: "name", name: token.text, at: token.at };
    if (token.kind === "text") return { kind: "literal", value: JSON.parse(token.text) as string };
    if (token.kind === "integer") return { kind: "literal", value: integerOf(token.text) };
    if (token.kind === "float") return { kind: "literal", value: Number(token.text) };
    if (token.kind === "bytes") return { kind: "literal", value: bytesOf(token) };
    if (token.kind === "tag") return this.#tag(token);
    if (token.text === "(") return this.#inside(")", () => this.#type());
    if (token.text === "{")
      return { kind: "map", group: this.#inside("}", () => this.#group("}")) };
    if (token.text === "[")
      return { kind: "list", group: this.#inside("]", () => this.#group("]")) };
    throw this.#unexpected(token, "a type");
  }

  #tag(token: Token): Type {
    this.#sign("(");
    const type = this.#inside(")", () => this.#type());
    return { kind: "tag", tag: Number(token.text.slice(3)), type };
  }

  #inside<T>(close: string, read: () => T): T {
    const value = read();
    this.#sign(close);
    return value;
  }

  #group(close: string): Group {
    const options: GroupEntry[][] = [[]];
    while (!this.#is(close)) {
      if (this.#takes("//")) {
        options.push([]);
        continue;
      }
      options.at(-1)?.push(this.#entry());
      this.#takes(",");
    }
    return { options };
  }

  #entry(): GroupEntry {
    const { at } = this.#peek();
    const times = this.#times();
    if (this.#is("(") && this.#isGroupRule()) {
      this.#sign("(");
      return { kind: "group", times, at, group: this.#inside(")", () => this.#group(")")) };
    }
    const first = this.#type();
    const key = this.#key(first);
    if (!key) return { kind: "member", times, at, type: first };
    return { kind: "member", times, at, key, type: this.#type() };
  }

  /** `name:` and `"name":` imply a cut; `type =>` needs `^`. */
  #key(first: Type): MemberKey | undefined {
    if (this.#takes(":")) {
      if (first.kind === "name")
        return { type: { kind: "literal", value: first.name }, isCut: true };
      if (first.kind === "literal") return { type: first, isCut: true };
      throw new CddlFault(this.#peek().at, "only names and values may come before a colon");
    }
    const isCut = this.#takes("^");
    if (this.#takes("=>")) return { type: first, isCut };
    if (isCut) throw this.#unexpected(this.#peek(), "=>");
    return undefined;
  }

  #times(): Times {
    if (this.#takes("?")) return { least: 0, most: 1 };
    if (this.#takes("+")) return { least: 1, most: Infinity };
    const first = this.#peek();
    const hasLeast = first.kind === "integer" && this.#isAhead("*");
    if (hasLeast) this.#next += 1;
    if (!this.#takes("*")) return { least: 1, most: 1 };
    const bound = this.#peek();
    // A bound must follow its star directly; `* 3 => text` has a key instead.
    const isBound = bound.kind === "integer" && this.#touches();
    if (isBound) this.#next += 1;
    return {
      least: hasLeast ? Number(first.text) : 0,
      most: isBound ? Number(bound.text) : Infinity,
    };
  }

  #touches(): boolean {
    const before = this.#tokens[this.#next - 1];
    const here = this.#peek();
    return before?.at.line === here.at.line && before.at.column + 1 === here.at.column;
  }

  #isAhead(sign: string): boolean {
    const token = this.#tokens[this.#next + 1];
    return token?.kind === "sign" && token.text === sign;
  }

  #is(sign: string): boolean {
    const token = this.#peek();
    return token.kind === "sign" && token.text === sign;
  }

  #takes(sign: string): boolean {
    if (!this.#is(sign)) return false;
    this.#next += 1;
    return true;
  }

  #sign(sign: string): void {
    if (!this.#takes(sign)) throw this.#unexpected(this.#peek(), `"${sign}"`);
  }

  #expect(kind: Token["kind"]): Token {
    const token = this.#take();
    if (token.kind !== kind) throw this.#unexpected(token, `a ${kind}`);
    return token;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? (this.#tokens.at(-1) as Token);
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #unexpected(token: Token, wanted: string): CddlFault {
    const refused = token.kind === "sign" ? REFUSED[token.text] : undefined;
    if (refused !== undefined) return new CddlFault(token.at, `${refused} are not supported`);
    return new CddlFault(token.at, `${wanted} was expected, not ${token.text.slice(0, 40)}`);
  }
}

function isInteger(type: Type): type is { kind: "literal"; value: bigint } {
  return type.kind === "literal" && typeof type.value === "bigint";
}

function isControl(name: string): name is ControlName {
  return (CONTROLS as readonly string[]).includes(name);
}

function integerOf(text: string): bigint {
  return text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text);
}

function bytesOf({ text, at }: Token): Uint8Array {
  const digits = text.slice(2, -1).replace(/\s/g, "");
  if (digits.length % 2 === 1) throw new CddlFault(at, "a byte string has half a byte");
  return Buffer.from(digits, "hex");
}
