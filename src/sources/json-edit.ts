import type { JSONPath, Node } from "jsonc-parser";
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from "jsonc-parser";

/**
 * Inserts a value into a JSON text without moving or reformatting anything else, so that
 * `withoutValue` restores the original text byte for byte.
 */
export function withValue(text: string, path: JSONPath, value: unknown): string {
  if (text.trim() === "") return `${JSON.stringify(nested(path, value), null, 2)}\n`;
  const root = rootOf(text);
  if (!root) return text;
  // An existing value is overwritten and cannot be restored later.
  if (findNodeAtLocation(root, path)) return applyEdits(text, modify(text, path, value, {}));
  let [container, depth] = [root, 0];
  for (let node = findNodeAtLocation(root, path.slice(0, 1)); node;) {
    [container, depth] = [node, depth + 1];
    node = findNodeAtLocation(root, path.slice(0, depth + 1));
  }
  const last = container.children?.at(-1);
  const at = last ? last.offset + last.length : container.offset + 1;
  const put = memberText(text, last, [path[depth], path.slice(depth + 1), value]);
  return `${text.slice(0, at)}${last ? separated(text, last) : ""}${put}${text.slice(at)}`;
}

/**
 * Removes a value and the containers that `withValue` created for it. Returns an empty text if the
 * text held nothing else.
 */
export function withoutValue(text: string, path: JSONPath): string {
  const root = rootOf(text);
  const value = root && findNodeAtLocation(root, path);
  if (!root || !value) return text;
  const found: unknown = getNodeValue(value);
  if (text === `${JSON.stringify(nested(path, found), null, 2)}\n`) return "";
  for (let depth = 0; depth < path.length; depth += 1) {
    const member = memberAt(root, path.slice(0, depth + 1));
    const siblings = member?.parent?.children ?? [];
    const last = member && siblings[siblings.indexOf(member) - 1];
    if (!member) break;
    const own = text.slice(member.offset, member.offset + member.length);
    const rest = path.slice(depth + 1);
    const made = memberText(text, last, [path[depth], rest, found]);
    if (depth === path.length - 1 || own === made) return cut(text, member, siblings);
  }
  return text;
}

function rootOf(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

/** Finds a property, or an element of a list. */
function memberAt(root: Node, path: JSONPath): Node | undefined {
  const node = findNodeAtLocation(root, path);
  return typeof path.at(-1) === "number" ? node : node?.parent;
}

function cut(text: string, member: Node, siblings: readonly Node[]): string {
  const at = siblings.indexOf(member);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const end = member.offset + member.length;
  if (before) return text.slice(0, before.offset + before.length) + text.slice(end);
  return text.slice(0, member.offset) + text.slice(after?.offset ?? end);
}

function nested(path: JSONPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => {
    return typeof key === "number" ? [inner] : { [key]: inner };
  }, value);
}

/**
 * Formats a member on its own line below the previous member, or on the same line if the previous
 * member does not start a line.
 */
function memberText(
  text: string,
  last: Node | undefined,
  [key, rest, value]: readonly [string | number | undefined, JSONPath, unknown],
): string {
  const head = typeof key === "number" ? "" : `${JSON.stringify(key)}: `;
  const indent = last && indentOf(text, last);
  const inner = nested(rest, value);
  // Containers that Pollux creates have spaces inside, which distinguishes them from existing empty
  // ones.
  if (indent === undefined) return `${head}${inLine(inner, rest.length)}`;
  const unit = indent.includes("\t") ? "\t" : 2;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return head + JSON.stringify(inner, null, unit).replaceAll("\n", `${eol}${indent}`);
}

function inLine(value: unknown, made: number): string {
  if (made === 0 || typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[ ${inLine(value[0], made - 1)} ]`;
  const [[key, inner] = ["", null]] = Object.entries(value);
  return `{ ${JSON.stringify(key)}: ${inLine(inner, made - 1)} }`;
}

function separated(text: string, last: Node): string {
  const indent = indentOf(text, last);
  if (indent === undefined) return ", ";
  return `,${text.includes("\r\n") ? "\r\n" : "\n"}${indent}`;
}

/** Returns the indentation before a member, or undefined if other text precedes it on its line. */
function indentOf(text: string, { offset }: Node): string | undefined {
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return text.lastIndexOf("\n", offset - 1) !== -1 && /^[ \t]*$/.test(before) ? before : undefined;
}
