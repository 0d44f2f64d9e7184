import type { ToolCall } from "../../core/session/tool-call.ts";
import { firstLineOf, plainText } from "../plain-text.ts";

/** A tool call as shown to a reader: title, input, changes, output. */
export interface ToolView {
  /** The tool's label and its target: `Read total.ts`. */
  title: string;
  outcome: string;
  input?: Code;
  /** A unified diff. */
  diff?: string;
  list?: { text: string; status: string }[];
  output?: Code;
  /** Where the whole output is, if the recorded one was cut. */
  note?: string;
}

export interface Code {
  text: string;
  /** Name for a code fence; empty for plain text. */
  language: string;
  /** Number of characters left out. */
  leftOut: number;
}

/** Longer texts are cut, because a document is for reading; the json export has the full text. */
const LONGEST = 20_000;

export interface ShownCall {
  call: ToolCall;
  target: string | undefined;
}

export async function viewTool(shown: ShownCall): Promise<ToolView> {
  const { call } = shown;
  const { display } = call;
  const diff = await diffOf(call);
  const todos = display?.kind === "todos" ? display.todos : undefined;
  const input = diff === undefined && todos === undefined ? inputOf(call) : undefined;
  const output = outputOf(call, diff);
  return {
    title: titleOf(shown),
    outcome: call.outcome ?? "no result",
    ...(input ? { input } : {}),
    ...(diff === undefined ? {} : { diff }),
    ...(todos
      ? { list: todos.map((todo) => ({ text: todo.description, status: todo.status })) }
      : {}),
    ...(output ? { output } : {}),
    ...(call.spill ? { note: `The whole output was written to ${call.spill.path}` } : {}),
  };
}

function titleOf({ call, target }: ShownCall): string {
  const name = call.mcp ? `${call.mcp.server}: ${call.mcp.tool}` : call.label;
  return firstLineOf(`${name} ${target ?? ""}`, 100);
}

function inputOf(call: ToolCall): Code | undefined {
  if (call.shellLine !== undefined) return codeOf(call.shellLine, "bash");
  const isRead = call.files?.every(({ how }) => how === "read") === true;
  const isEmpty = typeof call.args === "object" && Object.keys(call.args ?? {}).length === 0;
  // For a file that was read, the title says everything.
  if (isEmpty || isRead) return undefined;
  return codeOf(JSON.stringify(call.args, undefined, 2) ?? "", "json");
}

function outputOf(call: ToolCall, diff: string | undefined): Code | undefined {
  const { display, output = "" } = call;
  const shown = display?.kind === "terminal" || display?.kind === "text" ? display.text : "";
  const text = output === "" ? shown : output;
  const isDull = diff !== undefined && call.outcome === "success";
  if (text.trim() === "" || isDull) return undefined;
  const file = call.files?.[0]?.path;
  return codeOf(text, file === undefined ? "" : languageOf(file));
}

/** A text as code: plain, and cut to `LONGEST`. */
export function codeOf(text: string, language: string): Code {
  const plain = plainText(text);
  return { text: plain.slice(0, LONGEST), language, leftOut: Math.max(0, plain.length - LONGEST) };
}

/** The recorded diff, or one made from the arguments of the edit. */
async function diffOf(call: ToolCall): Promise<string | undefined> {
  const { display, args } = call;
  if (display?.kind === "diff") return cutDiff(display.diff);
  const file = call.files?.find(({ how }) => how !== "read");
  if (!file || typeof args !== "object" || args === null) return undefined;
  const given = args as Record<string, unknown>;
  const before = given["old_string"] ?? "";
  const after = given["new_string"] ?? given["content"];
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  if (before.length + after.length > LONGEST) return undefined;
  const { createTwoFilesPatch } = await import("diff");
  return cutDiff(createTwoFilesPatch(file.path, file.path, before, after, "", "", { context: 3 }));
}

function cutDiff(diff: string): string {
  // `Index: total.ts` and the line of `=` only repeat the file names below them.
  const plain = plainText(diff).replace(/^Index: .*\n=+\n/, "");
  if (plain.length <= LONGEST) return plain;
  const left = plain.length - LONGEST;
  return `${plain.slice(0, LONGEST)}\n… ${left.toLocaleString("en-US")} more characters`;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  mts: "typescript",
  tsx: "typescript",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  json: "json",
  py: "python",
  go: "go",
  rs: "rust",
  c: "c",
  h: "c",
  cpp: "cpp",
  hpp: "cpp",
  java: "java",
  kt: "kotlin",
  rb: "ruby",
  php: "php",
  cs: "csharp",
  swift: "swift",
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  yml: "yaml",
  yaml: "yaml",
  toml: "ini",
  ini: "ini",
  css: "css",
  html: "xml",
  xml: "xml",
  svg: "xml",
  sql: "sql",
  md: "markdown",
};

export function languageOf(path: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(LANGUAGES, extension) ? (LANGUAGES[extension] ?? "") : "";
}
