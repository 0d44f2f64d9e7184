import type { SessionFile } from "../core/session-file.ts";
import type { SessionRows } from "../core/session-rows.ts";
import type { UsageFact } from "../core/usage-fact.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { Columns } from "../kernel/columns.ts";
import { fromColumns, toColumns } from "../kernel/columns.ts";
import type { Depth, Source } from "../sources/source.ts";
import { diskView } from "../sources/view.ts";
import { homeView } from "./decode.ts";
import type { ReadGroups } from "./disk-store.ts";
import { claim, HelperThread, newShared } from "./helper-thread.ts";
import type { GroupRows, Member } from "./read-group.ts";
import { readGroup } from "./read-group.ts";

/** Groups of files on the disk that two threads read. */
export interface UsageTask {
  kind: "usage";
  shared: Int32Array;
  source: string;
  depth: Depth;
  homes: { rootId: number; root: string; folders: readonly string[] }[];
  groups: { rootId: number; file: SessionFile; keys: readonly string[] }[][];
}

/** Rows on their way between threads: the many small facts as columns. */
export interface PackedRows {
  rest: Omit<SessionRows, "usage">[];
  counts: number[];
  facts: Columns;
  readings: GroupRows["readings"];
}

/** With less than this to read, a second thread is not worth its start. */
const SHARED_BYTES = 24 * 1024 * 1024;

/**
 * Reads files for a store in memory with the help of a second thread. It is begun at once: until it
 * is ready, files are looked for.
 */
export function sharedReading(script: string): ReadGroups {
  const helper = HelperThread.begin({ script });
  return async (groups, { source, depth, homes }) => {
    const bytes = groups.flat().reduce((sum, { file }) => sum + file.sizeBytes, 0);
    const shared = newShared();
    const task: UsageTask = {
      kind: "usage",
      shared,
      source: source.id,
      depth,
      homes: homes.map(({ root, view }) => {
        return { rootId: root.id, root: view.root, folders: view.folders };
      }),
      groups: groups.map((group) =>
        group.map(({ rootId, file, keys }) => ({
          rootId,
          file: { ...file, role: file.role },
          keys,
        })),
      ),
    };
    const helped = bytes < SHARED_BYTES ? undefined : helper?.run(task);
    const own = readAll(source, claim(groups, shared), depth);
    const result = await helped;
    await helper?.end();
    if (result?.kind === "usage") return joined(own, unpackRows(result.rows));
    // The helper is gone, and nobody knows what it had taken.
    return result ? readAll(source, groups, depth) : own;
  };
}

/** What the helper does. */
export function readUsage(
  task: UsageTask,
  sources: readonly Source[],
  groups: Iterable<UsageTask["groups"][number]>,
): GroupRows {
  const source = sources.find(({ id }) => id === task.source);
  if (!source) throw new RangeError(`There is no source ${task.source}.`);
  const homes = new Map(
    task.homes.map(({ rootId, root, folders }) => {
      // What is wrong with the root is told by the thread that found it.
      return [rootId, homeView(source, { root, folders, view: diskView }, () => undefined)];
    }),
  );
  const opened = function* (): Generator<Member[]> {
    for (const group of groups) {
      yield group.flatMap(({ rootId, file, keys }) => {
        const home = homes.get(rootId);
        return home ? [{ rootId, file, keys, home, bytes: fileBytes(file.path) }] : [];
      });
    }
  };
  return readAll(source, opened(), task.depth);
}

function readAll(source: Source, groups: Iterable<readonly Member[]>, depth: Depth): GroupRows {
  const rows: GroupRows = { sessions: [], readings: [] };
  for (const group of groups) {
    const { sessions, readings } = readGroup(source, group, depth);
    rows.sessions.push(...sessions);
    rows.readings.push(...readings);
  }
  return rows;
}

function joined(a: GroupRows, b: GroupRows): GroupRows {
  return { sessions: [...a.sessions, ...b.sessions], readings: [...a.readings, ...b.readings] };
}

export function packRows({ sessions, readings }: GroupRows): PackedRows {
  return {
    rest: sessions.map(({ usage: _packed, ...rest }) => rest),
    counts: sessions.map(({ usage }) => usage.length),
    facts: toColumns(sessions.flatMap(({ usage }) => usage)),
    readings,
  };
}

export function unpackRows({ rest, counts, facts, readings }: PackedRows): GroupRows {
  const all = fromColumns<UsageFact>(facts);
  let from = 0;
  const sessions = rest.map((rows, at): SessionRows => {
    const to = from + (counts[at] ?? 0);
    const usage = all.slice(from, to);
    from = to;
    return { ...rows, usage };
  });
  return { sessions, readings };
}
