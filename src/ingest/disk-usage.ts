import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { addAll } from "../core/lists.ts";
import { rowsOf } from "../core/rows/rows-of.ts";
import { groupBy } from "../core/group.ts";
import type { WantedFile } from "../kernel/json/ahead/ahead.ts";
import { ReadAhead } from "../kernel/json/ahead/ahead.ts";
import type { Source } from "../sources/source.ts";
import type { SessionRows } from "../core/rows/session-rows.ts";
import { hasUnequalCopies, markCopies } from "../store/replies/copies.ts";
import type { OwnedReplies } from "../store/replies/sum.ts";
import { addReplies, emptyTable, oddReplies } from "../store/replies/table.ts";
import type { UsageReads } from "../store/replies/usage-reads.ts";
import { withTables } from "../store/replies/usage-reads.ts";
import type { FileReading, Store } from "../store/store.ts";
import type { SourceRoot } from "./decode.ts";
import type { OpenedHome } from "./disk-store.ts";
import { openHomes, commitRows, groupsIn, readCompanionsOf } from "./disk-store.ts";
import { nameAllProjects } from "./name-projects.ts";
import type { Member } from "./read-group.ts";
import { readGroupAs } from "./read-group.ts";

/** Usage read from disk at depth "usage": replies become rows of numbers as they are read. */
export async function diskUsage(
  places: readonly SourceRoot[],
  { nowMs, ahead: wanted }: { nowMs: number; ahead?: AheadOptions },
): Promise<UsageReads | "declined"> {
  const { store, homes } = await openHomes(places, nowMs);
  const ahead = wanted && startAhead(homes, wanted);
  try {
    const work = [...groupBy(homes, (home) => home.source)].map(([source, own]) => {
      return { source, homes: own, groups: groupsIn(source, own) };
    });
    if (ahead) readAhead(ahead, work);
    const replies = await readAll(store, work, nowMs);
    return replies === "declined" ? "declined" : withTables(store, replies);
  } finally {
    ahead?.close();
  }
}

async function readAll(
  store: Store,
  work: readonly SourceWork[],
  nowMs: number,
): Promise<OwnedReplies[] | "declined"> {
  const replies: OwnedReplies[] = [];
  for (const each of work) {
    const read = await readSource(each);
    // Such copies are listed one by one, and the table has only their numbers.
    if (hasUnequalCopies(read, read.copies)) return "declined";
    replies.push(read);
    const { homes } = each;
    const views = homes.map(({ view }) => view);
    const rows = { sessions: nameAllProjects(withOdd(read), views), readings: read.readings };
    await commitRows(store, { homes, rows, nowMs });
  }
  return replies;
}

/** The files of a source, grouped. */
interface SourceWork {
  source: Source;
  homes: readonly OpenedHome[];
  groups: Member[][];
}

/** A thread that reads ahead. */
export interface AheadOptions {
  /** The built file that the thread runs. */
  script: string;
  /** The thread is started if there is at least this much to read. */
  leastBytes?: number;
}

/** With less to read, the start of a thread costs more than it gains. */
const LEAST_BYTES = 128 * 1024 * 1024;

function startAhead(
  homes: readonly OpenedHome[],
  { script, leastBytes = LEAST_BYTES }: AheadOptions,
): ReadAhead | undefined {
  let sizeBytes = 0;
  for (const { files } of homes) for (const file of files) sizeBytes += file.sizeBytes;
  const isWorthIt = sizeBytes >= leastBytes && availableParallelism() > 1;
  return isWorthIt ? ReadAhead.start(script) : undefined;
}

/** Lets the other thread read all files, in the order in which they are decoded. */
function readAhead(ahead: ReadAhead, work: readonly SourceWork[]): void {
  const files: WantedFile[] = [];
  for (const { source, groups } of work) {
    for (const { file, bytes } of groups.flatMap((group) => group)) {
      const walked = source.walked?.(file);
      if (!walked) continue;
      const number = files.push({ path: file.path, sizeBytes: file.sizeBytes, ...walked }) - 1;
      let isUsed = false;
      bytes.ahead = () => {
        if (isUsed) return undefined;
        isUsed = true;
        return ahead.file(number);
      };
    }
  }
  ahead.read(files);
}

interface ReadSource extends OwnedReplies {
  /** Without replies: those are in the table. */
  sessions: SessionRows[];
  readings: FileReading[];
}

/** Read within some ten milliseconds. */
const BYTES_PER_TURN = 4 * 1024 * 1024;

async function readSource({ source, homes, groups }: SourceWork): Promise<ReadSource> {
  const table = emptyTable();
  const sessions: SessionRows[] = [];
  const readings: FileReading[] = [];
  let sizeBytes = 0;
  for (const group of groups) {
    for (const { file } of group) sizeBytes += file.sizeBytes;
    if (sizeBytes >= BYTES_PER_TURN) {
      // Yield to the event loop, so that keys and Ctrl-C are handled.
      await nextTurn();
      sizeBytes = 0;
    }
    const read = readGroupAs(source, group, { depth: "usage", rowsOf: (session) => session });
    addAll(readings, read.readings);
    for (const session of read.sessions) {
      addReplies(table, session, sessions.length);
      sessions.push(rowsOf({ ...session, replies: [] }, () => []));
    }
  }
  addAll(readings, readCompanionsOf(source, homes));
  return { sessions, readings, table, copies: markCopies({ sessions, table }) };
}

/** Adds back replies whose recorded counts do not add up: those are listed one by one. */
function withOdd({ sessions, table, copies }: ReadSource): SessionRows[] {
  const odd = oddReplies(table, copies);
  return sessions.map((rows, number) => ({ ...rows, usage: odd.get(number) ?? [] }));
}
