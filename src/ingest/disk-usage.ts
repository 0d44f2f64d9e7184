import { setImmediate as nextTurn } from "node:timers/promises";
import { addAll } from "../core/lists.ts";
import { groupBy } from "../core/group.ts";
import type { Source } from "../sources/source.ts";
import type { SessionRows } from "../core/rows/session-rows.ts";
import { hasUnequalCopies, markCopies } from "../store/replies/copies.ts";
import type { OwnedReplies } from "../store/replies/sum.ts";
import { addReplies, emptyTable, oddReplies } from "../store/replies/table.ts";
import type { UsageReads } from "../store/replies/usage-reads.ts";
import { withTables } from "../store/replies/usage-reads.ts";
import type { FileReading } from "../store/store.ts";
import type { SourceRoot } from "./decode.ts";
import type { OpenedHome } from "./disk-store.ts";
import { openHomes, commitRows, groupsIn, readCompanionsOf } from "./disk-store.ts";
import { nameAllProjects } from "./name-projects.ts";
import { readGroup } from "./read-group.ts";

/**
 * Usage read from disk at depth "usage": replies become rows of numbers as they are read. One
 * thread: a second one would have to compile all code again, which costs what it gains.
 */
export async function diskUsage(
  places: readonly SourceRoot[],
  nowMs: number,
): Promise<UsageReads | "declined"> {
  const { store, homes } = await openHomes(places, nowMs);
  const replies: OwnedReplies[] = [];
  for (const [source, own] of groupBy(homes, (home) => home.source)) {
    const read = await readSource(source, own);
    // Such copies are listed one by one, and the table has only their numbers.
    if (hasUnequalCopies(read, read.copies)) return "declined";
    replies.push(read);
    const views = own.map(({ view }) => view);
    const rows = { sessions: nameAllProjects(withOdd(read), views), readings: read.readings };
    await commitRows(store, { homes: own, rows, nowMs });
  }
  return withTables(store, replies);
}

interface ReadSource extends OwnedReplies {
  /** Without replies: those are in the table. */
  sessions: SessionRows[];
  readings: FileReading[];
}

async function readSource(source: Source, homes: readonly OpenedHome[]): Promise<ReadSource> {
  const table = emptyTable();
  const sessions: SessionRows[] = [];
  const readings: FileReading[] = [];
  for (const group of groupsIn(source, homes)) {
    // Yield to the event loop, so that keys and Ctrl-C are handled.
    await nextTurn();
    const read = readGroup(source, group, "usage");
    addAll(readings, read.readings);
    for (const rows of read.sessions) {
      addReplies(table, rows, sessions.length);
      sessions.push({ ...rows, usage: [] });
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
