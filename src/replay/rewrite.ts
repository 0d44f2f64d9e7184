import { groupBy } from "../model/group.ts";
import type { Message, RecordedMessage, StandingReason } from "../model/message.ts";

/**
 * A rewrite lists the conversation anew, as the writer remembers it. What that means has to be
 * worked out from what stood before:
 *
 * - only the start context, right after a header: a (re)start, nothing changes
 * - known messages, the last ones missing: they were taken back (a failed or cancelled request)
 * - a summary: everything before it that is not listed again was compressed away
 * - new ids for old words: copies, made by masking long outputs, by taking back a cancelled
 *   request, or by loading a saved chat
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
  /** The message of which `recorded` is a copy under a new id. */
  original?: Message;
  copy?: StandingReason;
}

interface Removed {
  message: Message;
  reason: StandingReason;
}

/** What is known when a rewrite comes. Only live messages are looked at: the past stays as it is. */
export interface Before {
  /** In the order of the conversation. */
  live: readonly Message[];
  /** When an id was first recorded, as a number that grows; undefined for a new one. */
  bornOf: (id: string) => number | undefined;
  /** A header came, and nothing was said since. */
  isStarting: boolean;
}

export function classifyRewrite(before: Before, listed: readonly RecordedMessage[]): Verdict {
  const remembered = before.live.filter(isRemembered);
  const isStart = listed.length <= 1 && listed.every(isContext);
  if (isStart && (before.isStarting || remembered.length === 0)) return { kind: "start" };
  const listedIds = new Set(listed.map(({ id }) => id));
  const unlisted = remembered.filter(({ id }) => !listedIds.has(id));
  const copies = matchCopies(listed, unlisted, before);
  const merged = mergedParts(listed, { unlisted, copies, before });
  const matched = new Set([...copies.values(), ...merged.messages]);
  const gone = unlisted.filter((message) => !matched.has(message));
  const summary = listed.find((message) => hasInjection(message, "compression-summary"));
  const isNewSummary = summary !== undefined && before.bornOf(summary.id) === undefined;
  const copyIds = new Set([...copies.keys()].map(({ id }) => id));
  const originals = remembered.filter(({ id }) => !copyIds.has(id));
  const hasCopies = copies.size > 0;
  const removed = removedOf(gone, { live: before.live, originals, isNewSummary, hasCopies });
  const copyReason = isNewSummary ? "compression-copy" : copyReasonOf(copies, removed);
  const again = matchAgain(listed, before);
  const kept = listed.map((recorded): Kept => {
    const original = again.get(recorded) ?? copies.get(recorded) ?? merged.originals.get(recorded);
    if (!original) return { recorded };
    const isResponse = recorded.id.endsWith("_response");
    return { recorded, original, copy: isResponse ? "resume-copy" : copyReason };
  });
  return { kind: "rewrite", removed, kept, ...(isNewSummary ? { summary } : {}) };
}

/** Notices and the start context are not part of what is listed and taken back. */
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
 * Pairs listed messages with the earlier ones that they repeat under new ids, from the end: what is
 * kept of a conversation is its newest part, and the same words may have been said twice.
 */
function matchCopies(
  listed: readonly RecordedMessage[],
  unlisted: readonly Message[],
  { bornOf }: Pick<Before, "bornOf">,
): Map<RecordedMessage, Message> {
  const originals = unlisted.filter((message) => message.copyOf === undefined);
  const bySignature = groupBy(originals, ({ signature }) => signature);
  const pairs = new Map<RecordedMessage, Message>();
  for (const recorded of listed.toReversed()) {
    const isOriginal = recorded.usage !== undefined || recorded.model !== undefined;
    if (isOriginal || isContext(recorded)) continue;
    const candidates = bySignature.get(recorded.signature);
    const original = candidates?.at(-1);
    const own = bornOf(recorded.id) ?? Number.POSITIVE_INFINITY;
    if (!original || (bornOf(original.id) ?? 0) >= own) continue;
    candidates?.pop();
    pairs.set(recorded, original);
  }
  return pairs;
}

/**
 * What is new in a rewrite and only says again what it lists anyway: resuming answers every tool
 * call once more, and a loaded chat brings its own start context.
 */
function matchAgain(
  listed: readonly RecordedMessage[],
  { live, bornOf }: Before,
): Map<RecordedMessage, Message> {
  const answers = new Map(
    live.filter(({ results }) => results.length > 0).map((answer) => [answer.signature, answer]),
  );
  const context = live.find(isContext);
  const pairs = new Map<RecordedMessage, Message>();
  for (const recorded of listed) {
    const isAnswer = recorded.results.length > 0 && bornOf(recorded.id) === undefined;
    const original = isContext(recorded) ? context : isAnswer && answers.get(recorded.signature);
    if (original && original.id !== recorded.id) pairs.set(recorded, original);
  }
  return pairs;
}

/**
 * Newer versions list neighbouring messages of one author as one, with the parts of both. The
 * messages it was put together from stay; the new one, when its id is new, only repeats them.
 */
function mergedParts(
  listed: readonly RecordedMessage[],
  known: {
    unlisted: readonly Message[];
    copies: ReadonlyMap<RecordedMessage, Message>;
    before: Before;
  },
): { messages: Set<Message>; originals: Map<RecordedMessage, Message> } {
  const bySignature = new Map(known.unlisted.map((message) => [message.signature, message]));
  const messages = new Set<Message>();
  const originals = new Map<RecordedMessage, Message>();
  for (const recorded of listed) {
    // A reply whose original has words of its own was not put together.
    const own = known.copies.get(recorded);
    if (recorded.author === "model" && own && own.text.trim() !== "") continue;
    const found = recorded.partSignatures.flatMap((part) => bySignature.get(part) ?? []);
    for (const message of found) messages.add(message);
    const last = found.at(-1);
    const isNew = known.before.bornOf(recorded.id) === undefined;
    if (last && isNew && !hasInjection(recorded, "compression-summary")) {
      originals.set(recorded, last);
    }
  }
  return { messages, originals };
}

/** Masking shortens what tools gave back; the other reasons to write copies leave it as it was. */
function copyReasonOf(
  copies: ReadonlyMap<RecordedMessage, Message>,
  removed: readonly Removed[],
): StandingReason {
  const isMasked = [...copies].some(([copy, original]) => hasOtherResults(copy, original));
  if (isMasked) return "masking-copy";
  return removed.some(({ reason }) => reason === "cancel") ? "rollback-copy" : "chat-copy";
}

/** Outlines keep this much of a result: enough to see whether it is a preview. */
const RESULT_LENGTH = 20;

function hasOtherResults(copy: RecordedMessage, original: RecordedMessage): boolean {
  return copy.results.some(({ output }, index) => {
    const given = original.results[index]?.output;
    return given !== undefined && output.slice(0, RESULT_LENGTH) !== given.slice(0, RESULT_LENGTH);
  });
}

function removedOf(
  gone: readonly Message[],
  told: {
    live: readonly Message[];
    originals: readonly Message[];
    isNewSummary: boolean;
    hasCopies: boolean;
  },
): Removed[] {
  const because = (reason: StandingReason, messages = gone): Removed[] =>
    messages.map((message) => ({ message, reason }));
  if (gone.length === 0) return [];
  if (told.isNewSummary) return because("compression");
  const tail = new Set(told.originals.slice(-gone.length));
  const isTail = gone.every((message) => tail.has(message));
  const isCancelled = isTail && endsInCancellation(told.live, gone);
  if (told.hasCopies) return because(isCancelled ? "cancel" : "replaced");
  if (!isTail) return because("replaced", gone.filter(isNotCommand));
  const hasReplies = gone.some(({ author }) => author === "model");
  return because(isCancelled || hasReplies ? "cancel" : "rollback");
}

/** A person cancelled after the last of these, and nothing was said since. */
function endsInCancellation(live: readonly Message[], gone: readonly Message[]): boolean {
  const last = gone.at(-1);
  for (const message of live.toReversed()) {
    if (message === last) return false;
    if (message.signal === "cancellation") return true;
  }
  return false;
}

/** Resuming drops prompts that look like commands from the model's memory; a person said them. */
function isNotCommand(message: Message): boolean {
  return !/^\s*[/?]/.test(message.typed ?? "");
}
