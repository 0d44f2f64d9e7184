import { parseAst } from "rolldown/parseAst";
import { textOf } from "./tree.ts";

/** Facts about one source file that the tidy test needs, from its syntax tree. */
export interface Syntax {
  imports: Import[];
  /** `process.exit`, `console.log`, `Date.now`, …: object and property. */
  members: string[];
  /** Classes constructed without arguments. */
  bareNews: string[];
  identifiers: string[];
  strings: string[];
}

interface Import {
  from: string;
  isTypeOnly: boolean;
}

interface Node {
  type: string;
  [key: string]: unknown;
}

export function syntaxOf(path: string): Syntax {
  return syntaxOfText(textOf(path), path);
}

export function syntaxOfText(text: string, path: string): Syntax {
  const syntax: Syntax = { imports: [], members: [], bareNews: [], identifiers: [], strings: [] };
  const lang = path.endsWith("x") ? "tsx" : "ts";
  visit(parseAst(text, { lang }, path), (node) => note(node, syntax));
  return syntax;
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  if (!isNode(value)) return;
  see(value);
  for (const child of Object.values(value)) {
    if (typeof child === "object" && child !== null) visit(child, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function note(node: Node, syntax: Syntax): void {
  const from = isNode(node["source"]) ? node["source"]["value"] : undefined;
  if (typeof from === "string") syntax.imports.push({ from, isTypeOnly: isTypeOnly(node) });
  const name = nameOf(node);
  if (name !== undefined) syntax.identifiers.push(name);
  if (node.type === "Literal" && typeof node["value"] === "string")
    syntax.strings.push(node["value"]);
  if (node.type === "TemplateElement") syntax.strings.push(rawOf(node["value"]));
  if (node.type === "MemberExpression") {
    syntax.members.push(`${nameOf(node["object"])}.${nameOf(node["property"])}`);
  }
  const hasNone = Array.isArray(node["arguments"]) && node["arguments"].length === 0;
  if (node.type === "NewExpression" && hasNone) syntax.bareNews.push(nameOf(node["callee"]) ?? "");
}

function isTypeOnly(node: Node): boolean {
  return node["importKind"] === "type" || node["exportKind"] === "type";
}

function rawOf(value: unknown): string {
  const isRaw = typeof value === "object" && value !== null && "raw" in value;
  return isRaw && typeof value.raw === "string" ? value.raw : "";
}

function nameOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  const { type, name } = value;
  const isName = type === "Identifier" || type === "PrivateIdentifier" || type === "JSXIdentifier";
  return isName && typeof name === "string" ? name : undefined;
}
