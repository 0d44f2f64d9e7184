import type { Attachment } from "../../core/session/attachment.ts";
import type { Injection, RecordedMessage, Thought } from "../../core/session/message.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";

/**
 * Length to which possible subagent tasks are kept, so that the task can be recognised in messages.
 */
export const TASK_LENGTH = 200;
/** Part of an output that is searched for project paths. */
const OUTPUT_LENGTH = 160;
/** The session context names the workspace within its first lines. */
const INJECTION_LENGTH = 1500;
/** For replies, only whether there is text matters. */
const SOMETHING = "…";
/** Shared empty list: a message has seven lists, most of them empty. */
const NONE: readonly never[] = Object.freeze([]);
/** Commands in shell lines are counted; longer lines are scripts with embedded data. */
const SHELL_LENGTH = 20_000;

/** Returns how many characters of a user's text an outline keeps. */
export type KeptLength = (message: RecordedMessage) => number;

/**
 * Reduces a message to what lists and sums need, in a few hundred bytes. Lists of many sessions are
 * built from outlines, so that memory does not grow with the length of conversations.
 */
export function toOutline(message: RecordedMessage, saidLength: KeptLength): RecordedMessage {
  const { references, injections, thoughts: _let, results, ...more } = message;
  const { attachments, partSignatures, toolCalls, text: _said, typed: _asked, ...rest } = more;
  const length = saidLength(message);
  const text = lightText(message, length);
  const typed = message.typed === undefined ? undefined : cut(message.typed, length);
  // A literal that begins with a spread gets its own hidden class, as large as the message.
  return {
    text,
    // Both texts are usually equal; share one string.
    ...(typed === undefined ? {} : { typed: typed === text ? text : typed }),
    references: light(references, ({ path }) => ({ path, content: "" })),
    injections: light(injections, lightInjection),
    thoughts: light<Thought>([], (thought) => thought),
    results: light(results, (result) => ({ ...result, output: cut(result.output, 20) })),
    attachments: light(attachments, bareAttachment),
    partSignatures: light(partSignatures, (part) => part),
    toolCalls: light(toolCalls, outlineCall),
    ...rest,
  };
}

function light<T>(items: readonly T[], lighter: (item: T) => T): T[] {
  // Sharing is safe: lists of a message are never modified in place.
  return items.length === 0 ? (NONE as unknown as T[]) : items.map(lighter);
}

function bareAttachment({ data: _bytes, ...attachment }: Attachment): Attachment {
  return attachment;
}

/** For other injections only the kind matters. */
function lightInjection({ kind, text }: Injection): Injection {
  const isTelling = kind === "session-context" || kind === "workspace";
  return { kind, text: isTelling ? cut(text, INJECTION_LENGTH) : "" };
}

function lightText({ author, text }: RecordedMessage, length: number): string {
  if (author === "user") return cut(text, length);
  if (author === "notice") return cut(text, 80);
  return text.trim() === "" ? "" : SOMETHING;
}

/** Reduces a call to what lists and sums need. */
export function outlineCall({ display: _display, description, ...call }: ToolCall): ToolCall {
  const { shellLine, output, attachments } = call;
  // The short description of a subagent's task is the title of its session.
  const isTitle = call.label === "Agent" && description !== undefined;
  return {
    ...call,
    ...(isTitle ? { description: cut(description, TASK_LENGTH) } : {}),
    args: lightArgs(call),
    ...(attachments === undefined ? {} : { attachments: attachments.map(bareAttachment) }),
    ...(shellLine === undefined ? {} : { shellLine: cut(shellLine, SHELL_LENGTH) }),
    ...(output === undefined
      ? {}
      : { output: PATH.test(output.slice(0, OUTPUT_LENGTH)) ? cut(output, OUTPUT_LENGTH) : "" }),
  };
}

const PATH = /(?:^|\s)(?:\/|[A-Za-z]:[\\/])/;

/**
 * Keeps paths, which identify the project, and subagents' tasks, which distinguish them from
 * prompts.
 */
function lightArgs({ args, label }: ToolCall): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return {};
  const texts = Object.entries(args).flatMap(([key, value]) => {
    const isKept = typeof value === "string" && (label === "Agent" || PATH.test(value.slice(0, 4)));
    return isKept ? [[key, cut(value, label === "Agent" ? TASK_LENGTH : 4096)] as const] : [];
  });
  return texts.length === 0 ? NO_ARGUMENTS : Object.fromEntries(texts);
}

const NO_ARGUMENTS = Object.freeze({});

/** Returns the beginning of a text, as a copy so that the full text can be freed. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : ownText(text.slice(0, length));
}

/** Copies a slice: a plain slice keeps the whole text in memory. */
export function ownText(slice: string): string {
  const encoding = /^[\0-\xff]*$/.test(slice) ? "latin1" : "utf16le";
  return Buffer.from(slice, encoding).toString(encoding);
}
