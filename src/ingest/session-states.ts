import { PolluxError } from "../core/error.ts";
import { groupBy } from "../core/group.ts";
import type { Message } from "../core/message.ts";
import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { cutBytes } from "../kernel/bytes.ts";
import { fileAsOf } from "./as-of.ts";
import type { Home } from "./gather.ts";
import { withOpen } from "./gather.ts";

/** A file of a session, and the home that tells its bytes: all of them, or as they once were. */
export interface FoundFile {
  home: Home;
  file: SessionFile;
}

/** A state that a file was kept in. */
export interface KeptState {
  /** The same as long as the file only grew. */
  content: number;
  sizeBytes: number;
  modifiedMs: number;
  keptMs: number;
  open: () => ByteSource;
}

/** A state of a whole session: as its files were after one of them was seen to have changed. */
export interface SessionVersion {
  /** Counted from 1, the oldest. */
  number: number;
  keptAt: string;
  /** When the file was last written that had changed. */
  modifiedAt: string;
  sizeBytes: number;
}

type States = ReadonlyMap<FoundFile, readonly KeptState[]>;

export function versionsOf(states: States): SessionVersion[] {
  const all = [...states.values()].flat();
  const moments = [...groupBy(all, ({ keptMs }) => keptMs)].toSorted(([a], [b]) => a - b);
  return moments.map(([keptMs, changed], at) => {
    const last = [...states.values()].flatMap((list) =>
      lastOf(list, (one) => one.keptMs <= keptMs),
    );
    return {
      number: at + 1,
      keptAt: timeOf(keptMs),
      modifiedAt: timeOf(Math.max(...changed.map(({ modifiedMs }) => modifiedMs))),
      sizeBytes: last.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    };
  });
}

/** The files of a session as they were in one of its versions. */
export function filesOfVersion(states: States, number: number): FoundFile[] {
  const versions = versionsOf(states);
  const version = versions.find((one) => one.number === number);
  if (!version) {
    throw new PolluxError("no-such-version", `There is no version ${number} of this session.`, {
      remedy: remedyOf(versions),
    });
  }
  const keptMs = Date.parse(version.keptAt);
  return filesAsOf(states, (state) => Math.floor(state.keptMs) <= keptMs);
}

/** The files of a session as they were at a time. */
export function filesOfTime(states: States, atMs: number): FoundFile[] {
  const files = [...states].flatMap(([found, list]) => fileAsOf(found, list, atMs));
  if (files.length > 0) return files;
  throw new PolluxError("no-such-version", "At that time the session had not begun.", {
    remedy: remedyOf(versionsOf(states)),
  });
}

function filesAsOf(states: States, isThen: (state: KeptState) => boolean): FoundFile[] {
  return [...states].flatMap(([{ home, file }, list]) =>
    lastOf(list, isThen).map(({ sizeBytes, modifiedMs, open }) => {
      return { home: withOpen(home, open), file: { ...file, sizeBytes, modifiedMs } };
    }),
  );
}

function lastOf(list: readonly KeptState[], isWanted: (state: KeptState) => boolean): KeptState[] {
  const last = list.findLast(isWanted);
  return last ? [last] : [];
}

function remedyOf(versions: readonly SessionVersion[]): string {
  if (versions.length === 0) return "Versions are kept in the archive; this session is not in it.";
  const known = versions.slice(-5).map(({ number, modifiedAt }) => `${number} (${modifiedAt})`);
  return `Kept are: ${known.join(", ")}; \`--versions\` lists all.`;
}

function timeOf(ms: number): string {
  return new Date(Math.floor(ms)).toISOString();
}

/** A message by its id, or by an unambiguous beginning of it. */
export function messageNamed({ messages }: Session, wish: string): Message {
  const exact = messages.find(({ id }) => id === wish);
  if (exact) return exact;
  const [found, other] = messages.filter(({ id }) => id.startsWith(wish));
  if (found && !other) return found;
  const remedy = "`pollux show ID --all --json` tells the ids of all messages.";
  throw found
    ? new PolluxError("ambiguous-message", `"${wish}" begins several message ids.`, { remedy })
    : new PolluxError("no-such-message", `The session has no message "${wish}".`, { remedy });
}

/**
 * The files as they were when a message had just been recorded: cut after its last own line, those
 * that begin later left out. What was taken back after that is live again.
 */
export function filesAt(
  files: readonly FoundFile[],
  session: Session,
  message: Message,
): FoundFile[] {
  const ends = new Map(files.map((one) => [one, endOf(one, message.id)]));
  return files.flatMap((one) => {
    const end = ends.get(one);
    if (end === undefined) return isBefore(session, one, message) ? [one] : [];
    const open = (): ByteSource => cutBytes(one.home.open(one.file), end);
    const file = { ...one.file, sizeBytes: Math.min(one.file.sizeBytes, end) };
    return [{ home: withOpen(one.home, open), file }];
  });
}

/**
 * Where the entry that follows begins; the whole file when none does. A message that was never
 * written by itself stands in a list of all messages.
 */
function endOf({ home, file }: FoundFile, id: string): number | undefined {
  const own = new NextStart();
  const listed = new NextStart();
  home.source.read(home.open(file), {
    report: () => undefined,
    entry(entry) {
      own.pass(entry.place.start);
      listed.pass(entry.place.start);
      if (entry.kind === "message" && entry.message.id === id) own.begin(entry.place.end);
      if (entry.kind !== "rewrite" || listed.hasBegun) return;
      if (entry.messages.some((one) => one.id === id)) listed.begin(entry.place.end);
    },
  });
  if (own.hasBegun) return own.start;
  return listed.hasBegun ? listed.start : undefined;
}

/** The place at which the first entry behind a given one begins. */
class NextStart {
  hasBegun = false;
  start: number = Number.POSITIVE_INFINITY;
  #end = 0;

  begin(end: number): void {
    this.hasBegun = true;
    this.#end = end;
    this.start = Number.POSITIVE_INFINITY;
  }

  pass(start: number): void {
    if (this.hasBegun && start >= this.#end) this.start = Math.min(this.start, start);
  }
}

function isBefore(session: Session, { file }: FoundFile, { at }: Message): boolean {
  const ref = session.files.find(({ path }) => path === file.path);
  if (ref?.firstAt === undefined || at === undefined || ref.part === "stub") return false;
  return Date.parse(ref.firstAt) <= Date.parse(at);
}
