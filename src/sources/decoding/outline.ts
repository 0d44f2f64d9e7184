import type { Attachment, Injection, RecordedMessage } from "../../core/message.ts";
import type { Thought } from "../../core/thought.ts";
import type { ToolCall } from "../../core/tool-call.ts";

/** What an agent may have been asked is kept this long, so that its task is known again. */
export const TASK_LENGTH = 200;
/** Paths of projects are looked for in this much of an output. */
const OUTPUT_LENGTH = 160;
/** The start context names the workspace within its first lines. */
const INJECTION_LENGTH = 1500;
/** Of a reply only counts that it said something. */
const SOMETHING = "…";
/** One list for all that have none: a message has seven lists, most of them empty. */
const NONE: readonly never[] = Object.freeze([]);
/** What was run is counted command by command; longer lines are scripts with data in them. */
const SHELL_LENGTH = 20_000;

/** How much of what a person said an outline holds. */
export type SaidLength = (message: RecordedMessage) => number;

/**
 * A message without its bulk: all that lists and sums need, in a few hundred bytes. Lists of many
 * sessions are made from outlines, so that memory does not grow with what was said.
 */
export function lighten(message: RecordedMessage, saidLength: SaidLength): RecordedMessage {
  const { references, injections, thoughts: _let, results, ...more } = message;
  const { attachments, partSignatures, toolCalls, text: _said, typed: _asked, ...rest } = more;
  const length = saidLength(message);
  const text = lightText(message, length);
  const typed = message.typed === undefined ? undefined : cut(message.typed, length);
  // A literal that begins with a spread gets a hidden class of its own, as big as the message.
  return {
    text,
    // The two are mostly the same, and need not be kept twice.
    ...(typed === undefined ? {} : { typed: typed === text ? text : typed }),
    references: light(references, ({ path }) => ({ path, content: "" })),
    injections: light(injections, lightInjection),
    thoughts: light<Thought>([], (thought) => thought),
    results: light(results, (result) => ({ ...result, output: cut(result.output, 20) })),
    attachments: light(attachments, bareAttachment),
    partSignatures: light(partSignatures, (part) => part),
    toolCalls: light(toolCalls, lightCall),
    ...rest,
  };
}

function light<T>(items: readonly T[], lighter: (item: T) => T): T[] {
  // Nobody changes a list of a message in place.
  return items.length === 0 ? (NONE as unknown as T[]) : items.map(lighter);
}

function bareAttachment({ data: _bytes, ...attachment }: Attachment): Attachment {
  return attachment;
}

/** Of the others only counts what they are. */
function lightInjection({ kind, text }: Injection): Injection {
  const isTelling = kind === "session-context" || kind === "workspace";
  return { kind, text: isTelling ? cut(text, INJECTION_LENGTH) : "" };
}

function lightText({ author, text }: RecordedMessage, length: number): string {
  if (author === "user") return cut(text, length);
  if (author === "notice") return cut(text, 80);
  return text.trim() === "" ? "" : SOMETHING;
}

/** A call without its bulk. */
export function lightCall({ display: _display, description, ...call }: ToolCall): ToolCall {
  const { shellLine, output, attachments } = call;
  // What an agent is asked for in short is the title of its session.
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

/** Paths tell the project; what an agent was asked tells its task from a prompt. */
function lightArgs({ args, label }: ToolCall): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return {};
  const texts = Object.entries(args).flatMap(([key, value]) => {
    const isKept = typeof value === "string" && (label === "Agent" || PATH.test(value.slice(0, 4)));
    return isKept ? [[key, cut(value, label === "Agent" ? TASK_LENGTH : 4096)] as const] : [];
  });
  return texts.length === 0 ? NO_ARGUMENTS : Object.fromEntries(texts);
}

const NO_ARGUMENTS = Object.freeze({});

/** The beginning of a text; a list of a thousand sessions would hold all their bytes. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : ownText(text.slice(0, length));
}

/** A part of a text as a string of its own: a plain slice keeps the whole text alive. */
export function ownText(slice: string): string {
  const encoding = /^[\0-\xff]*$/.test(slice) ? "latin1" : "utf16le";
  return Buffer.from(slice, encoding).toString(encoding);
}
