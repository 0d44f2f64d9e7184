import { groupBy } from "../../../core/group.ts";
import type { Message, RecordedMessage } from "../../../core/session/message.ts";
import type { ReplayMessage } from "./replay-message.ts";

export type Find = (id: string) => ReplayMessage | undefined;

/** The messages that a rewrite repeats under other ids. */
export interface Repeats {
  /** For each listed message that is purely a repetition: the messages that it repeats. */
  originals: Map<RecordedMessage, Message[]>;
  /** All repeated messages, including those repeated as a part of another message. */
  repeated: Set<Message>;
}

/**
 * Known copies stay copies; others are matched by content, in the order of the conversation. Newer
 * versions merge adjacent messages of one author into one message with the parts of both.
 */
export function findRepeats(
  listed: readonly RecordedMessage[],
  unlisted: readonly Message[],
  find: Find,
): Repeats {
  const originals = new Map<RecordedMessage, Message[]>();
  for (const recorded of listed) {
    const repeats = find(recorded.id)?.repeats;
    if (repeats) originals.set(recorded, [...repeats]);
  }
  const repeated = new Set([...originals.values()].flat());
  const said = unlisted.filter((message) => !repeated.has(message));
  const isWrittenAnew = areNewer(listed, said, find);
  const sayings = groupBy(said, ({ signature }) => signature);
  const tokens = listed
    .filter((recorded, index) => !originals.has(recorded) && !isOfCompression(listed, index, find))
    .flatMap((recorded) => {
      const known = isWrittenAnew ? undefined : find(recorded.id);
      return known ? tokensOfKnown(recorded, known, sayings) : tokensOf(recorded, sayings);
    });
  for (const [{ recorded, isOwn }, message] of align(tokens, said)) {
    repeated.add(message);
    if (!isOwn) continue;
    const others = originals.get(recorded);
    if (others) others.push(message);
    else originals.set(recorded, [message]);
  }
  return { originals, repeated };
}

/** Whether all listed messages are copies that were just written line by line: a loaded chat. */
export function isLoaded(
  listed: readonly RecordedMessage[],
  said: readonly Message[],
  find: Find,
): boolean {
  return listed.length > 0 && listed.every(({ id }) => find(id)) && areNewer(listed, said, find);
}

/** Copies may be written line by line before they are listed: then all of them are newer. */
function areNewer(
  listed: readonly RecordedMessage[],
  said: readonly Message[],
  find: Find,
): boolean {
  const newest = said.reduce((most, { id }) => Math.max(most, find(id)?.born ?? 0), -1);
  return listed.every(({ id }) => {
    const known = find(id);
    return !known || (!isOriginal(known) && known.born > newest);
  });
}

/** Only original replies are recorded with usage and model. */
function isOriginal({ usage, model }: RecordedMessage): boolean {
  return usage !== undefined || model !== undefined;
}

/**
 * A summary and Gemini CLI's own reply to it repeat nothing, whatever their text. Copies of them
 * are written line by line before they are listed; a compression lists them immediately.
 */
function isOfCompression(listed: readonly RecordedMessage[], index: number, find: Find): boolean {
  const [before, message] = [listed[index - 1], listed[index]];
  const summary = message?.author === "model" ? before : message;
  return summary !== undefined && isSummary(summary) && find(summary.id) === undefined;
}

export function isSummary({ injections }: RecordedMessage): boolean {
  return injections.some(({ kind }) => kind === "compression-summary");
}

/** The content of a listed message, or a part of it, that may occur in an earlier message. */
interface Token {
  recorded: RecordedMessage;
  signature: string;
  /** `recorded` is purely a repetition. */
  isOwn: boolean;
}

type Sayings = ReadonlyMap<string, readonly Message[]>;

/**
 * Returns the tokens of a new message: the message itself and its parts, if they occurred before.
 */
function tokensOf(recorded: RecordedMessage, sayings: Sayings): Token[] {
  if (isOriginal(recorded) || isContextAlone(recorded)) return [];
  const same = sayings.get(recorded.signature) ?? [];
  const own = same.length > 0 ? [recorded.signature] : [];
  const parts = same.some((message) => isWhole(message, recorded)) ? [] : otherParts(recorded);
  const all = recorded.author === "model" ? [...parts, ...own] : [...own, ...parts];
  return all
    .filter((signature) => sayings.has(signature))
    .map((signature) => ({ recorded, signature, isOwn: true }));
}

function isContextAlone({ injections, isPrompt }: RecordedMessage): boolean {
  return !isPrompt && injections.some(({ kind }) => kind === "session-context");
}

/** A message listed by its own id may have absorbed adjacent messages. */
function tokensOfKnown(recorded: RecordedMessage, known: Message, sayings: Sayings): Token[] {
  if (isWhole(known, recorded)) return [];
  return otherParts(recorded)
    .filter((signature) => signature !== known.signature && sayings.has(signature))
    .map((signature) => ({ recorded, signature, isOwn: false }));
}

/** Whether nothing was added to the message. */
function isWhole(message: Message, recorded: RecordedMessage): boolean {
  if (recorded.author === "model") return message.text.trim() !== "";
  return message.partSignatures.join() === recorded.partSignatures.join();
}

function otherParts({ partSignatures, signature }: RecordedMessage): string[] {
  return partSignatures.filter((part) => part !== signature);
}

/**
 * Resolves repeated texts. A rewrite keeps the beginning of a conversation (a loaded chat) or its
 * end (after a compression): the direction that matches more messages wins.
 */
function align(tokens: readonly Token[], said: readonly Message[]): Map<Token, Message> {
  const fromStart = follow(tokens, said);
  if (fromStart.size === said.length) return fromStart;
  const fromEnd = follow(tokens.toReversed(), said.toReversed());
  const isTail = tokens.some(({ recorded }) => isSummary(recorded));
  const isEndBetter = isTail ? fromEnd.size >= fromStart.size : fromEnd.size > fromStart.size;
  return isEndBetter ? new Map([...fromEnd].toReversed()) : fromStart;
}

/** Pairs each token with the next message that has the same content. */
function follow(tokens: readonly Token[], said: readonly Message[]): Map<Token, Message> {
  const places = groupBy(said.keys(), (index) => said[index]?.signature ?? "");
  const used = new Map<string, number>();
  const pairs = new Map<Token, Message>();
  let after = -1;
  for (const token of tokens) {
    const options = places.get(token.signature) ?? [];
    let next = used.get(token.signature) ?? 0;
    while ((options[next] ?? Number.POSITIVE_INFINITY) <= after) next += 1;
    used.set(token.signature, next);
    const index = options[next];
    const message = index === undefined ? undefined : said[index];
    if (index === undefined || !message) continue;
    pairs.set(token, message);
    after = index;
  }
  return pairs;
}
