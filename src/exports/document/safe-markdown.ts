import { largest } from "../../core/lists.ts";
import { plainText } from "../plain-text.ts";

/**
 * Untrusted Markdown for use in our own document: lists, tables and code are kept; HTML, embedded
 * content and unsafe links are disabled, and headings are moved below ours.
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
  // Text above a line of `=` or `-` would become a heading of level 1 or 2.
  const isUnderline = /^ {0,3}(=+|-+)\s*$/.test(line) && (before ?? "").trim() !== "";
  if (isUnderline) return `\\${line.trimStart()}`;
  return inline(line);
}

/** Escapes everything except the code spans of a line. */
function inline(line: string): string {
  const pieces = line.split(/((?<!`)(`+)(?!`).*?(?<!`)\2(?!`))/);
  // `split` yields text, code span, its backticks, text, …
  return pieces
    .flatMap((piece, at) => (at % 3 === 0 ? harmless(piece) : at % 3 === 1 ? piece : []))
    .join("");
}

/** Escapes `](target` and `]: target` unless the target is safe and on the same line. */
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
 * Allows web and mail addresses and links within the document, after decoding entities and escapes.
 * A target without a scheme would point to the reader's own files, or (`//host`) to any server.
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

/** Escapes a text so that every character is literal, on one line. */
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

/** A code fence that is longer than any run of backticks in the text. */
export function codeFence(text: string, language: string): string {
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
