import { groupBy } from "../core/group.ts";
import type { SessionRows } from "../core/session-rows.ts";
import type { Source } from "../sources/source.ts";
import { markCopies } from "../store/replies/copies.ts";
import type { OwnedPart } from "../store/replies/sum.ts";
import { oddReplies } from "../store/replies/table.ts";
import type { UsageReads } from "../store/replies/usage-reads.ts";
import { withTables } from "../store/replies/usage-reads.ts";
import type { Place } from "./decode.ts";
import { isSessionFile } from "./decode.ts";
import type { EnteredHome } from "./disk-store.ts";
import { enterHomes, fill, groupsIn, readBeside } from "./disk-store.ts";
import { claim, HelperThread, newShared } from "./helper-thread.ts";
import { nameAll } from "./name-projects.ts";
import type { UsageGroup, UsageHome, UsagePart } from "./read-usage.ts";
import { UsageReader } from "./read-usage.ts";

/** With less than this to read, a second thread is not worth its start. */
const SHARED_BYTES = 48 * 1024 * 1024;

/**
 * What was paid, from the disk at depth "usage": replies become rows of numbers as they are read.
 * With `script`, a second thread takes its share.
 */
export async function diskUsage(
  places: readonly Place[],
  { nowMs, script }: { nowMs: number; script?: string | undefined },
): Promise<UsageReads> {
  const { store, homes } = await enterHomes(places, nowMs);
  const helper = sizeOf(homes) < SHARED_BYTES || !script ? undefined : HelperThread.begin(script);
  const bySource = [...groupBy(homes, ({ source }) => source)];
  const sources = bySource.map(([source]) => source);
  const groups = bySource.flatMap(([source, own]) => groupsOf(source, own));
  const parts = await readShared(groups, { sources, homes: homes.map(nameOf), helper });
  const owned: OwnedPart[] = [];
  for (const [source, own] of bySource) {
    const theirs = parts.filter((part) => part.source === source.id);
    const marked = withoutCopies(theirs);
    const sessions = marked.flatMap((part) => part.sessions);
    const readings = [...theirs.flatMap((part) => part.readings), ...readBeside(source, own)];
    const named = nameAll(
      sessions,
      own.map(({ view }) => view),
    );
    await fill(store, { homes: own, rows: { sessions: named, readings }, nowMs });
    owned.push(...marked);
  }
  return withTables(store, owned);
}

function sizeOf(homes: readonly EnteredHome[]): number {
  const files = homes.flatMap((home) => home.files.filter(isSessionFile));
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function nameOf({ source, root, view }: EnteredHome): UsageHome {
  return { source: source.id, rootId: root.id, root: root.path, folders: view.folders };
}

function groupsOf(source: Source, homes: readonly EnteredHome[]): UsageGroup[] {
  return groupsIn(source, homes).map((members) => {
    const files = members.map(({ rootId, file, keys }) => ({ rootId, file, keys }));
    return { source: source.id, files };
  });
}

interface Sharing {
  sources: readonly Source[];
  homes: readonly UsageHome[];
  helper: HelperThread | undefined;
}

/** Both threads take the next group of one list; what the helper fails to do is done here. */
async function readShared(
  groups: readonly UsageGroup[],
  { sources, homes, helper }: Sharing,
): Promise<UsagePart[]> {
  const reader = new UsageReader(sources, homes);
  const shared = newShared();
  const helped = helper?.run({ kind: "usage", shared, homes: [...homes], groups: [...groups] });
  const left = new Set(groups);
  for (const group of claim(groups, shared)) {
    reader.read(group);
    left.delete(group);
  }
  const result = await helped;
  await helper?.end();
  if (result?.kind === "usage") return [...reader.parts, ...result.parts];
  for (const group of left) reader.read(group);
  return reader.parts;
}

/** Of what a session owns, only replies that are shown one by one stay with it. */
function withoutCopies(parts: readonly UsagePart[]): (OwnedPart & { sessions: SessionRows[] })[] {
  const marks = markCopies(parts);
  return parts.map(({ sessions, table }, number) => {
    const copies = marks[number] ?? new Uint8Array();
    const odd = oddReplies(table, copies);
    const rows = sessions.map((row, at) => ({ ...row, usage: odd.get(at) ?? [] }));
    return { sessions: rows, table, copies };
  });
}
