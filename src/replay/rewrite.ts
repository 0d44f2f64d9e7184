import { groupBy } from "../model/group.ts";
import type { Message, RecordedMessage, StandingReason } from "../model/message.ts";

/**
 * A rewrite lists the conversation anew, as the writer remembers it. What that means has to be
 * worked out from what stood before:
 *
 * - only the start context: a (re)start, nothing changes
 * - known messages, the last ones missing: they were taken back (a failed or cancelled request)
 * - a summary: everything before it that is not listed again was compressed away
 * - new ids for old words: copies, made by masking long outputs or by loading a saved chat
 */
export type Verdict =
  | { kind: "start" }
  | {
      kind: "rewrite";
      removed: { message: Message; reason: StandingReason }[];
      kept: Kept[];
      summary?: RecordedMessage;
    };

export interface Kept {
  recorded: RecordedMessage;
  /** The message of which `recorded` is a copy under a new id. */
  original?: Message;
  copy?: StandingReason;
}

export function classifyRewrite(
  list: readonly Message[],
  listed: readonly RecordedMessage[],
): Verdict {
  if (isStart(listed)) return { kind: "start" };
  const ids = new Set(list.map(({ id }) => id));
  const listedIds = new Set(listed.map(({ id }) => id));
  const remembered = list.filter((message) => isRemembered(message) && message.standing === "live");
  const unlisted = remembered.filter(({ id }) => !listedIds.has(id));
  const originals = matchCopies(listed, { list, unlisted });
  for (const [copy, original] of matchAgain(listed, { ids, list })) originals.set(copy, original);
  const summary = listed.find((message) => hasInjection(message, "compression-summary"));
  const isNewSummary = summary !== undefined && !ids.has(summary.id);
  const matched = new Set(originals.values());
  const merged = mergedParts(listed, { ids, unlisted });
  const gone = unlisted.filter((message) => !matched.has(message) && !merged.messages.has(message));
  const copyReason = copyReasonOf(isNewSummary, gone, listed.length > originals.size);
  const kept = listed.map((recorded): Kept => {
    const original = originals.get(recorded) ?? merged.originals.get(recorded);
    return original ? { recorded, original, copy: copyReason(recorded) } : { recorded };
  });
  const removed = removedOf(gone, { remembered, isNewSummary, hasCopies: originals.size > 0 });
  return { kind: "rewrite", removed, kept, ...(isNewSummary ? { summary } : {}) };
}

function isStart(listed: readonly RecordedMessage[]): boolean {
  return listed.length <= 1 && listed.every((message) => isContext(message));
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
  known: { list: readonly Message[]; unlisted: readonly Message[] },
): Map<RecordedMessage, Message> {
  const position = new Map(known.list.map((message, index) => [message.id, index]));
  const bySignature = groupBy(
    known.unlisted.filter((message) => message.copyOf === undefined),
    ({ signature }) => signature,
  );
  const pairs = new Map<RecordedMessage, Message>();
  for (const recorded of listed.toReversed()) {
    if (recorded.usage !== undefined || recorded.model !== undefined || isContext(recorded))
      continue;
    const candidates = bySignature.get(recorded.signature);
    const original = candidates?.at(-1);
    const own = position.get(recorded.id) ?? Number.POSITIVE_INFINITY;
    if (!original || (position.get(original.id) ?? 0) >= own) continue;
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
  known: { ids: ReadonlySet<string>; list: readonly Message[] },
): Map<RecordedMessage, Message> {
  const live = known.list.filter(({ standing }) => standing === "live");
  const answers = new Map(
    live.filter(({ results }) => results.length > 0).map((answer) => [answer.signature, answer]),
  );
  const context = live.find(isContext);
  const pairs = new Map<RecordedMessage, Message>();
  for (const recorded of listed) {
    const isAnswer = recorded.results.length > 0 && !known.ids.has(recorded.id);
    const original = isContext(recorded) ? context : isAnswer && answers.get(recorded.signature);
    if (original && original.id !== recorded.id) pairs.set(recorded, original);
  }
  return pairs;
}

/**
 * Newer versions list neighbouring user messages as one, with the parts of both. The messages it was
 * put together from stay; the new one, when its id is new, only repeats them.
 */
function mergedParts(
  listed: readonly RecordedMessage[],
  known: { ids: ReadonlySet<string>; unlisted: readonly Message[] },
): { messages: Set<Message>; originals: Map<RecordedMessage, Message> } {
  const bySignature = new Map(
    known.unlisted
      .filter(({ author }) => author === "user")
      .map((message) => [message.signature, message]),
  );
  const messages = new Set<Message>();
  const originals = new Map<RecordedMessage, Message>();
  for (const recorded of listed) {
    const found = recorded.partSignatures.flatMap((part) => bySignature.get(part) ?? []);
    for (const message of found) messages.add(message);
    const first = found.at(-1);
    if (first && !known.ids.has(recorded.id) && !hasInjection(recorded, "compression-summary")) {
      originals.set(recorded, first);
    }
  }
  return { messages, originals };
}

function copyReasonOf(
  isNewSummary: boolean,
  gone: readonly Message[],
  hasOthers: boolean,
): (recorded: RecordedMessage) => StandingReason {
  if (isNewSummary) return () => "compression-copy";
  const whole: StandingReason = gone.length > 0 && hasOthers ? "chat-copy" : "masking-copy";
  return (recorded) => (recorded.id.endsWith("_response") ? "resume-copy" : whole);
}

function removedOf(
  gone: readonly Message[],
  told: { remembered: readonly Message[]; isNewSummary: boolean; hasCopies: boolean },
): { message: Message; reason: StandingReason }[] {
  if (told.isNewSummary) return gone.map((message) => ({ message, reason: "compression" }));
  if (told.hasCopies) return gone.map((message) => ({ message, reason: "replaced" }));
  const tail = new Set(told.remembered.slice(-gone.length));
  const isTail = gone.every((message) => tail.has(message));
  if (!isTail) return gone.filter(isNotCommand).map((message) => ({ message, reason: "replaced" }));
  const reason = gone.some(({ author }) => author === "model") ? "cancel" : "rollback";
  return gone.map((message) => ({ message, reason }));
}

/** Resuming drops prompts that look like commands from the model's memory; a person said them. */
function isNotCommand(message: Message): boolean {
  return !/^\s*[/?]/.test(message.typed ?? "");
}
