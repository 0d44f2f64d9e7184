import { largest } from "../../core/lists.ts";
import { plainText } from "../plain-text.ts";

/**
 * Markdown of a model or a person inside a document of ours: it keeps its lists, tables and code,
 * but brings no HTML, loads nothing, leads nowhere dangerous, and its headings stay below ours.
 */
export function safeMarkdown(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of plainText(text).split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (fence !== undefined) {
      lines.push(line);
      if (mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === "") fence = undefined;
    } else if (mark) {
      fence = mark[1];
      lines.push(line);
    } else lines.push(safeLine(line, lines.at(-1)));
  }
  // A fence that was never closed would swallow the rest of the document.
  if (fence !== undefined) lines.push(fence);
  return lines.join("\n");
}

const LOWEST_HEADING = 6;

function safeLine(line: string, before: string | undefined): string {
  const heading = /^( {0,3})(#{1,6})(?=\s|$)/.exec(line);
  if (heading) {
    const level = Math.min(LOWEST_HEADING, (heading[2]?.length ?? 1) + 3);
    return "#".repeat(level) + inline(line.slice(heading[0].length));
  }
  // Text above a line of `=` or `-` would become a heading of the first or second order.
  const isUnderline = /^ {0,3}(=+|-+)\s*$/.test(line) && (before ?? "").trim() !== "";
  if (isUnderline) return `\\${line.trimStart()}`;
  return inline(line);
}

/** Everything but the code spans of a line is made harmless. */
function inline(line: string): string {
  const pieces = line.split(/((?<!`)(`+)(?!`).*?(?<!`)\2(?!`))/);
  // `split` gives text, code, the marks of the code, text, …
  return pieces
    .flatMap((piece, at) => (at % 3 === 0 ? harmless(piece) : at % 3 === 1 ? piece : []))
    .join("");
}

/** `](target` and `]: target`; a target on the next line is not looked for, and not allowed. */
function harmless(text: string): string {
  return text
    .replaceAll("<", "&lt;")
    .replace(/!\[/g, "[image: ")
    .replace(/\][(:]\s*([^)\s]*)(\)?)/g, (found, target: string, close: string) => {
      const isSafe = target === "" ? close === ")" : isSafeTarget(target);
      return isSafe ? found : `]\\${found.slice(1)}`;
    });
}

const SAFE_SCHEMES = new Set(["http", "https", "mailto"]);

/**
 * Web and mail addresses, and places in the document. Disguises are looked through. What has no
 * scheme would lead into the reader's own files, or (`//host`) to a server of somebody's choice.
 */
export function isSafeTarget(target: string): boolean {
  const plain = target
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|colon|tab|newline);?/gi, decodeEntity)
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/[\s\x00-\x20<]/g, "");
  const scheme = /^([^/?#:\\]*):/.exec(plain)?.[1];
  return scheme === undefined ? plain.startsWith("#") : SAFE_SCHEMES.has(scheme.toLowerCase());
}

function decodeEntity(
  entity: string,
  hex: string | undefined,
  decimal: string | undefined,
): string {
  if (/^&colon/i.test(entity)) return ":";
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return Number.isInteger(code) && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
}

/** A text of which every character stands for itself, on one line. */
export function literal(text: string): string {
  return plainText(text)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/^[-+#=]/, String.raw`\$&`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`);
}

/** Code between marks that do not occur in it. */
export function fenced(text: string, language: string): string {
  const longest = largest(
    [...text.matchAll(/`+/g)].map(([marks]) => marks.length),
    2,
  );
  const marks = "`".repeat(longest + 1);
  return `${marks}${language}\n${text.replace(/\n$/, "")}\n${marks}`;
}

export function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}
