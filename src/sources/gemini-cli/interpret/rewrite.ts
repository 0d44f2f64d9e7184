import type { Message, RecordedMessage, StandingReason } from "../../../core/session/message.ts";
import type { Find } from "./repeats.ts";
import { findRepeats, isLoaded, isSummary } from "./repeats.ts";

/**
 * A rewrite lists the whole conversation again. Its meaning must be derived from the messages
 * before it:
 *
 * - only the start context, right after a header: a (re)start, nothing changes
 * - known messages, the last ones missing: they were taken back (a failed or cancelled request)
 * - a summary: everything before it that is not listed again was compressed
 * - new ids for known texts: copies, made by masking long outputs, by taking back a cancelled
 * request, or by loading a saved chat
 */
export type Verdict =
  | { kind: "start" }
  | {
      kind: "rewrite";
      removed: Removed[];
      kept: Kept[];
      summary?: RecordedMessage;
    };

export interface Kept {
  recorded: RecordedMessage;
  /** For a copy under another id: the messages that it repeats, and why it was made. */
  copy?: { of: readonly Message[]; reason: StandingReason };
}

interface Removed {
  message: Message;
  reason: StandingReason;
}

/**
 * State before a rewrite. Only live messages are examined, and others keep their standing; but a
 * loaded chat may have been saved before the last compression.
 */
export interface Before {
  /** In the order of the conversation. */
  live: readonly Message[];
  /** All messages, in the order of the conversation. */
  all: readonly Message[];
  find: Find;
  /** A header was read, and no message since. */
  isStarting: boolean;
}

export function classifyRewrite(before: Before, listed: readonly RecordedMessage[]): Verdict {
  const remembered = before.live.filter(isRemembered);
  const isStart = listed.length <= 1 && listed.every(isContext);
  if (isStart && (before.isStarting || remembered.length === 0)) return { kind: "start" };
  const listedIds = new Set(listed.map(({ id }) => id));
  const unlisted = remembered.filter(({ id }) => !listedIds.has(id));
  const said = isLoaded(listed, unlisted, before.find)
    ? before.all.filter((message) => isRepeatable(message) && !listedIds.has(message.id))
    : unlisted;
  const { originals, repeated } = findRepeats(listed, said, before.find);
  const gone = unlisted.filter((message) => !repeated.has(message));
  const summary = listed.find(isSummary);
  const isNewSummary = summary !== undefined && before.find(summary.id) === undefined;
  const copyIds = new Set([...originals.keys()].map(({ id }) => id));
  const standing = remembered.filter(({ id }) => !copyIds.has(id));
  const hasCopies = originals.size > 0;
  const removed = removedOf(gone, { live: before.live, standing, isNewSummary, hasCopies });
  const copyReason = isNewSummary ? "compression-copy" : copyReasonOf(originals, removed);
  const again = matchAgain(listed, before.live);
  const kept = listed.map((recorded): Kept => {
    const of = again.get(recorded) ?? originals.get(recorded);
    if (!of) return { recorded };
    const isResponse = recorded.id.endsWith("_response");
    return { recorded, copy: { of, reason: isResponse ? "resume-copy" : copyReason } };
  });
  return { kind: "rewrite", removed, kept, ...(isNewSummary ? { summary } : {}) };
}

/** Only what was said can be said again: no copies, and no summaries. */
function isRepeatable(message: Message): boolean {
  return isRemembered(message) && message.copyOf === undefined && !isSummary(message);
}

/** Notices and the start context are never listed or taken back. */
function isRemembered(message: Message): boolean {
  return message.author !== "notice" && !isContext(message);
}

function isContext(message: RecordedMessage): boolean {
  return hasInjection(message, "session-context") && !message.isPrompt;
}

function hasInjection(message: RecordedMessage, kind: string): boolean {
  return message.injections.some((injection) => injection.kind === kind);
}

/**
 * Matches repetitions of live messages: resuming repeats the result of every tool call (and later
 * rewrites repeat these, too), and a loaded chat brings its own start context.
 */
function matchAgain(
  listed: readonly RecordedMessage[],
  live: readonly Message[],
): Map<RecordedMessage, Message[]> {
  const answers = new Map<string, Message>();
  for (const message of live) {
    const isFirst = message.results.length > 0 && !answers.has(message.signature);
    if (isFirst) answers.set(message.signature, message);
  }
  const context = live.find(isContext);
  const pairs = new Map<RecordedMessage, Message[]>();
  for (const recorded of listed) {
    const isAnswer = recorded.results.length > 0;
    const original = isContext(recorded) ? context : isAnswer && answers.get(recorded.signature);
    if (original && original.id !== recorded.id) pairs.set(recorded, [original]);
  }
  return pairs;
}

/** Masking shortens tool results; other reasons for copies leave them unchanged. */
function copyReasonOf(
  copies: ReadonlyMap<RecordedMessage, readonly Message[]>,
  removed: readonly Removed[],
): StandingReason {
  const isMasked = [...copies].some(([copy, of]) => hasOtherResults(copy, of));
  if (isMasked) return "masking-copy";
  return removed.some(({ reason }) => reason === "cancel") ? "rollback-copy" : "chat-copy";
}

/** Outlines keep this many characters of a result: enough to recognise a preview. */
const RESULT_LENGTH = 20;

function hasOtherResults(copy: RecordedMessage, of: readonly Message[]): boolean {
  const given = new Map(
    of.flatMap(({ results }) => results).map(({ callId, output }) => [callId, output]),
  );
  return copy.results.some(({ callId, output }) => {
    const whole = given.get(callId)?.slice(0, RESULT_LENGTH);
    return whole !== undefined && output.slice(0, RESULT_LENGTH) !== whole;
  });
}

function removedOf(
  gone: readonly Message[],
  context: {
    live: readonly Message[];
    standing: readonly Message[];
    isNewSummary: boolean;
    hasCopies: boolean;
  },
): Removed[] {
  const because = (reason: StandingReason, messages = gone): Removed[] =>
    messages.map((message) => ({ message, reason }));
  if (gone.length === 0) return [];
  if (context.isNewSummary) return because("compression");
  const tail = new Set(context.standing.slice(-gone.length));
  const isTail = gone.every((message) => tail.has(message));
  const isCancelled = isTail && endsInCancellation(context.live, gone);
  if (context.hasCopies) return because(isCancelled ? "cancel" : "replaced");
  if (!isTail) return because("replaced", gone.filter(isNotCommand));
  const hasReplies = gone.some(({ author }) => author === "model");
  return because(isCancelled || hasReplies ? "cancel" : "rollback");
}

/** Whether the user cancelled after the last of these messages, and nothing was said since. */
function endsInCancellation(live: readonly Message[], gone: readonly Message[]): boolean {
  const last = gone.at(-1);
  for (const message of live.toReversed()) {
    if (message === last) return false;
    if (message.signal === "cancellation") return true;
  }
  return false;
}

/**
 * Resuming drops prompts that look like commands from the model's context, but the user typed them.
 */
function isNotCommand(message: Message): boolean {
  return !/^\s*[/?]/.test(message.typed ?? "");
}
