import { largest, smallest } from "../../core/lists.ts";
import { PolluxError } from "../../core/error.ts";
import { groupBy } from "../../core/group.ts";
import type { Message } from "../../core/session/message.ts";
import type { Place } from "../../core/files/place.ts";
import type { Session } from "../../core/session/session.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { truncatedBytes } from "../../kernel/bytes.ts";
import type { Source } from "../../sources/source.ts";
import type { OpenedFile } from "../decode.ts";
import { readSessions } from "../read-group.ts";
import { totalBytes } from "../../core/files/session-file.ts";

/** A kept state of a file. */
export interface KeptState {
  /** The content number: the same while the file only grows. */
  content: number;
  sizeBytes: number;
  modifiedMs: number;
  keptMs: number;
  bytes: ByteSource;
}

/** A state of a whole session: its files after one of them was seen to have changed. */
export interface SessionVersion {
  /** From 1, the oldest. */
  number: number;
  keptAt: string;
  /** When the changed file was last written. */
  modifiedAt: string;
  sizeBytes: number;
}

/** The files of a session with the kept states of each, oldest first. */
export type FileStates = ReadonlyMap<OpenedFile, readonly KeptState[]>;

export function versionsOf(states: FileStates): SessionVersion[] {
  const all = [...states.values()].flat();
  const moments = [...groupBy(all, ({ keptMs }) => keptMs)].toSorted(([a], [b]) => a - b);
  return moments.map(([keptMs, changed], at) => {
    const last = [...states.values()].flatMap((list) => {
      return lastOf(list, (state) => state.keptMs <= keptMs);
    });
    return {
      number: at + 1,
      keptAt: timeOf(keptMs),
      modifiedAt: timeOf(Math.max(...changed.map(({ modifiedMs }) => modifiedMs))),
      sizeBytes: totalBytes(last),
    };
  });
}

/** Returns the files of a session as they were in one of its versions. */
export function filesOfVersion(states: FileStates, number: number): OpenedFile[] {
  const versions = versionsOf(states);
  const version = versions.find((candidate) => candidate.number === number);
  if (!version) {
    throw new PolluxError("no-such-version", `This session has no version ${number}.`, {
      remedy: remedyOf(versions),
    });
  }
  const keptMs = Date.parse(version.keptAt);
  return [...states].flatMap(([opened, list]) => {
    const last = lastOf(list, (state) => Math.floor(state.keptMs) <= keptMs);
    return last.map((state) => inState(opened, state));
  });
}

/** Returns the files of a session as they were at a time. */
export function filesOfTime(source: Source, states: FileStates, atMs: number): OpenedFile[] {
  const files = [...states].flatMap(([opened, list]) => fileAsOf(source, opened, { list, atMs }));
  if (files.length > 0) return files;
  throw new PolluxError("no-such-version", "The session had not started at that time.", {
    remedy: remedyOf(versionsOf(states)),
  });
}

/**
 * Returns a file as it was at a time. The last state before that time is certain; how much of the
 * next state had been written by then follows from the times of its entries.
 */
function fileAsOf(
  source: Source,
  opened: OpenedFile,
  { list, atMs }: { list: readonly KeptState[]; atMs: number },
): OpenedFile[] {
  const last = list.findLastIndex(({ modifiedMs }) => modifiedMs <= atMs);
  const [before, next] = [list[last], list[last + 1]];
  if (!next) return before ? [inState(opened, before)] : [];
  const sureBytes = before?.content === next.content ? before.sizeBytes : 0;
  const then = { ...inState(opened, next), until: { atMs, sureBytes } };
  const has = idsIn(source, then);
  if (!before) return has.size > 0 ? [then] : [];
  // The next state does not continue the previous one, and when it was replaced is unknown: keep
  // the previous.
  const isOn = [...idsIn(source, inState(opened, before))].every((id) => has.has(id));
  return [isOn ? then : inState(opened, before)];
}

function inState(opened: OpenedFile, { bytes, sizeBytes, modifiedMs }: KeptState): OpenedFile {
  return { ...opened, bytes, file: { ...opened.file, sizeBytes, modifiedMs } };
}

function idsIn(source: Source, opened: OpenedFile): Set<string> {
  const sessions = readSessions(source, [opened], "outline");
  return new Set(sessions.flatMap(({ messages }) => messages.map(({ id }) => id)));
}

function lastOf(list: readonly KeptState[], isWanted: (state: KeptState) => boolean): KeptState[] {
  const last = list.findLast(isWanted);
  return last ? [last] : [];
}

function remedyOf(versions: readonly SessionVersion[]): string {
  if (versions.length === 0)
    return "This session is not in the archive, so it has no earlier versions.";
  const known = versions.slice(-5).map(({ number, modifiedAt }) => `${number} (${modifiedAt})`);
  return `Archived versions: ${known.join(", ")}; \`--versions\` lists all.`;
}

function timeOf(ms: number): string {
  return new Date(Math.floor(ms)).toISOString();
}

/** Finds a message by its id or by an unambiguous prefix of it. */
export function messageNamed({ messages }: Session, name: string): Message {
  const exact = messages.find(({ id }) => id === name);
  if (exact) return exact;
  const [found, other] = messages.filter(({ id }) => id.startsWith(name));
  if (found && !other) return found;
  const remedy = "`pollux show ID --all --json` lists the ids of all messages.";
  throw found
    ? new PolluxError("ambiguous-message", `Several message ids begin with "${name}".`, { remedy })
    : new PolluxError("no-such-message", `The session has no message "${name}".`, { remedy });
}

/**
 * Returns the files as they were just after a message was recorded: cut after its last own record,
 * without files that begin later. What was rewound after that is live again.
 */
export function filesAt(
  files: readonly OpenedFile[],
  session: Session,
  message: Message,
): OpenedFile[] {
  const isShared = sharedPlaces(session);
  return files.flatMap((opened) => {
    const { file, bytes } = opened;
    const recorded = message.places.filter((place) => place.file === file.path);
    if (recorded.length === 0) return isBefore(session, opened, message) ? [opened] : [];
    const own = recorded.filter((place) => !isShared(place)).map((place) => place.end);
    // A message without a record of its own is in a record that lists all messages.
    const last = own.length > 0 ? largest(own) : smallest(recorded.map(({ end }) => end));
    // In a JSON document, the end of a record is included too.
    const isLine = /^\r?(?:\n|$)/.test(bytes.range(last, last + 2).toString("latin1"));
    const end = isLine ? last : nextStart(session, file.path, last);
    const cut = { ...file, sizeBytes: Math.min(file.sizeBytes, end) };
    return [{ ...opened, file: cut, bytes: truncatedBytes(bytes, end) }];
  });
}

/** Returns where the next message is recorded. */
function nextStart({ messages }: Session, path: string, from: number): number {
  const starts = messages
    .flatMap(({ places }) => places)
    .filter(({ file, start }) => file === path && start >= from)
    .map(({ start }) => start);
  return starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY);
}

/** A record that lists several messages is a place of each of them. */
function sharedPlaces({ messages }: Session): (place: Place) => boolean {
  const keyOf = ({ file, start, end }: Place): string => `${start} ${end} ${file}`;
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { places } of messages) {
    for (const key of new Set(places.map(keyOf))) {
      if (seen.has(key)) shared.add(key);
      seen.add(key);
    }
  }
  return (place) => shared.has(keyOf(place));
}

function isBefore(session: Session, { file }: OpenedFile, { at }: Message): boolean {
  const ref = session.files.find(({ path }) => path === file.path);
  if (ref?.firstAt === undefined || at === undefined || ref.part === "stub") return false;
  return Date.parse(ref.firstAt) <= Date.parse(at);
}
