import type { Entry } from "../model/entry.ts";
import type { RecordedMessage } from "../model/message.ts";

/** How much of a message's content is kept while reading. */
export type Weight = "full" | "outline";

/** Longer than what replay looks at in a user's text, see `markDelegations`. */
const USER_LENGTH = 2000;
const MODEL_LENGTH = 80;
/** Paths fit; so does what replay compares of a delegated task. */
const ARGUMENT_LENGTH = 400;
const OUTPUT_LENGTH = 160;
/** The start context names the workspace within its first lines. */
const INJECTION_LENGTH = 1500;
/** What was run is counted command by command; longer lines are scripts with data in them. */
const SHELL_LENGTH = 20_000;

/**
 * An entry without its bulk: all that lists, sums and replay need, in a few hundred bytes. Lists of
 * many sessions are made from outlines, so that memory does not grow with what was said.
 */
export function outlineOf(entry: Entry): Entry {
  if (entry.kind === "message") return { ...entry, message: lighten(entry.message) };
  if (entry.kind === "rewrite") return { ...entry, messages: entry.messages.map(lighten) };
  return entry;
}

function lighten(message: RecordedMessage): RecordedMessage {
  return {
    ...message,
    text: cut(message.text, message.author === "user" ? USER_LENGTH : MODEL_LENGTH),
    ...(message.typed === undefined ? {} : { typed: cut(message.typed, USER_LENGTH) }),
    references: message.references.map(({ path }) => ({ path, content: "" })),
    injections: message.injections.map(({ kind, text }) => {
      return { kind, text: cut(text, INJECTION_LENGTH) };
    }),
    thoughts: [],
    results: message.results.map((result) => ({ ...result, output: cut(result.output, 20) })),
    toolCalls: message.toolCalls.map(({ display: _display, description: _text, ...call }) => ({
      ...call,
      args: lightArgs(call.args),
      ...(call.shellLine === undefined ? {} : { shellLine: cut(call.shellLine, SHELL_LENGTH) }),
      ...(call.output === undefined ? {} : { output: cut(call.output, OUTPUT_LENGTH) }),
    })),
  };
}

function lightArgs(args: unknown): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return {};
  const texts = Object.entries(args).flatMap(([key, value]) =>
    typeof value === "string" ? [[key, cut(value, ARGUMENT_LENGTH)] as const] : [],
  );
  return Object.fromEntries(texts);
}

/**
 * The beginning of a text, as a string of its own: a plain slice would keep the whole text alive,
 * and a list of a thousand sessions would hold all their bytes.
 */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  const encoding = /^[\0-\xff]*$/.test(head) ? "latin1" : "utf16le";
  return Buffer.from(head, encoding).toString(encoding);
}
