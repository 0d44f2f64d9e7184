import { groupBy } from "../../../core/group.ts";
import type { Message, RecordedMessage } from "../../../core/message.ts";
import type { Remembered } from "./remembered.ts";

export type Find = (id: string) => Remembered | undefined;

/** Which messages a rewrite repeats under other ids. */
export interface Repeats {
  /** By what is listed: the messages that it repeats, and is nothing but. */
  originals: Map<RecordedMessage, Message[]>;
  /** All messages that are said again, also as a part of something. */
  repeated: Set<Message>;
}

/**
 * Known copies stay what they are; the others are told by what they say, in the order in which it
 * was said. Newer versions list neighbours of one author as one message with the parts of both.
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

/** Only what the model itself said was recorded with its price and its name. */
function isOriginal({ usage, model }: RecordedMessage): boolean {
  return usage !== undefined || model !== undefined;
}

/**
 * A summary, and the program's own reply to it, repeat nothing, whatever they say. Copies of them
 * are written line by line before they are listed; a compression lists them right away.
 */
function isOfCompression(listed: readonly RecordedMessage[], index: number, find: Find): boolean {
  const [before, message] = [listed[index - 1], listed[index]];
  const summary = message?.author === "model" ? before : message;
  return summary !== undefined && isSummary(summary) && find(summary.id) === undefined;
}

export function isSummary({ injections }: RecordedMessage): boolean {
  return injections.some(({ kind }) => kind === "compression-summary");
}

/** Something that a listed message says, as it may have been said before. */
interface Token {
  recorded: RecordedMessage;
  signature: string;
  /** `recorded` is nothing but a repetition. */
  isOwn: boolean;
}

type Sayings = ReadonlyMap<string, readonly Message[]>;

/** What a new message says: itself, when that was said before, and parts of it that were. */
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

/** A message listed by its own id may have taken in its neighbours. */
function tokensOfKnown(recorded: RecordedMessage, known: Message, sayings: Sayings): Token[] {
  if (isWhole(known, recorded)) return [];
  return otherParts(recorded)
    .filter((signature) => signature !== known.signature && sayings.has(signature))
    .map((signature) => ({ recorded, signature, isOwn: false }));
}

/** Nothing was put to it. */
function isWhole(message: Message, recorded: RecordedMessage): boolean {
  if (recorded.author === "model") return message.text.trim() !== "";
  return message.partSignatures.join() === recorded.partSignatures.join();
}

function otherParts({ partSignatures, signature }: RecordedMessage): string[] {
  return partSignatures.filter((part) => part !== signature);
}

/**
 * The same may have been said twice. What is kept of a conversation is its beginning (a chat that
 * was loaded) or its end (after a compression): the reading that finds more of it holds.
 */
function align(tokens: readonly Token[], said: readonly Message[]): Map<Token, Message> {
  const fromStart = follow(tokens, said);
  if (fromStart.size === said.length) return fromStart;
  const fromEnd = follow(tokens.toReversed(), said.toReversed());
  const isTail = tokens.some(({ recorded }) => isSummary(recorded));
  const isEndBetter = isTail ? fromEnd.size >= fromStart.size : fromEnd.size > fromStart.size;
  return isEndBetter ? new Map([...fromEnd].toReversed()) : fromStart;
}

/** Each token with the next message that says the same. */
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
