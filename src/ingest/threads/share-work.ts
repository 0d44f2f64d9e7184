import type { Source } from "../../sources/source.ts";
import type { Store } from "../../store/store.ts";
import type { GroupFile } from "../group-files.ts";
import type { HelperTask, ThreadConfig } from "./helper-thread.ts";
import { claim, helperProgress, HelperThread, newShared } from "./helper-thread.ts";
import { addReport } from "../ingest-report.ts";
import { indexGroups, indexTexts, textPages } from "../texts/index-texts.ts";
import type { IngestContext, GroupsResult } from "../ingest-groups.ts";
import { GroupIngester } from "../ingest-groups.ts";
import { totalBytes } from "../../core/files/session-file.ts";

/** With less work than this, a second thread is not worth its start. */
const SHARED_BYTES = 48 * 1024 * 1024;
const SHARED_SESSIONS = 200;

/** Reads and commits groups of files, with a second thread if there is much to read. */
export async function shareGroups(
  place: ThreadConfig,
  work: IngestContext,
  groups: readonly GroupFile[][],
): Promise<GroupsResult> {
  const bytes = totalBytes(groups.flat().map(({ file }) => file));
  const helper = bytes < SHARED_BYTES || groups.length < 2 ? undefined : HelperThread.begin(place);
  const shared = newShared();
  const { location } = place;
  const task: HelperTask = {
    kind: "groups",
    location,
    shared,
    source: work.source.id,
    groups: [...groups],
  };
  const helped = helper?.run(task);
  const counted = { files: 0, bytes: 0 };
  const ingester = new GroupIngester({
    ...work,
    advance: (files, size) => advanceBoth(work, { files, size, counted, shared }),
  });
  try {
    for (const group of claim(groups, shared)) await ingester.ingest(group);
    await ingester.flush();
    const result = await helped;
    advanceBoth(work, { files: 0, size: 0, counted, shared });
    if (result?.kind === "groups") return merged(work, ingester.result, result);
    // The next round finds what the helper has not kept.
    if (result?.kind === "failed") ingester.result.isOutdated = true;
    return ingester.result;
  } finally {
    await helper?.end();
  }
}

interface Advance {
  files: number;
  size: number;
  counted: { files: number; bytes: number };
  shared: Int32Array;
}

/** Reports the progress of both threads together. */
function advanceBoth(work: IngestContext, { files, size, counted, shared }: Advance): void {
  const theirs = helperProgress(shared);
  work.advance(files + theirs.files - counted.files, size + theirs.bytes - counted.bytes);
  Object.assign(counted, theirs);
}

function merged(
  work: IngestContext,
  own: GroupsResult,
  {
    result,
    reports,
  }: { result: GroupsResult; reports: readonly [number, Parameters<typeof addReport>[1]][] },
): GroupsResult {
  for (const [rootId, report] of reports) {
    const known = work.reports.get(rootId);
    if (known) addReport(known, report);
  }
  return {
    unsettled: new Set([...own.unsettled, ...result.unsettled]),
    isOutdated: own.isOutdated || result.isOutdated,
    hasProjectNews: own.hasProjectNews || result.hasProjectNews,
  };
}

/** Indexes texts, with a second thread if there are many sessions. */
export async function shareTexts(
  place: ThreadConfig,
  store: Store,
  sources: readonly Source[],
): Promise<number> {
  const requests = await store.withoutTexts();
  if (requests.length < SHARED_SESSIONS) return indexTexts(store, { sources });
  const helper = HelperThread.begin(place);
  let isHelping = helper !== undefined;
  try {
    for await (const groups of textPages(store, sources, requests)) {
      const shared = newShared();
      const task: HelperTask = { kind: "texts", location: place.location, shared, groups };
      const helped = isHelping ? helper?.run(task) : undefined;
      await indexGroups(store, claim(groups, shared), { sources });
      isHelping = (await helped)?.kind === "texts";
    }
    // Index what a failed helper has left.
    await indexTexts(store, { sources });
    return requests.length;
  } finally {
    await helper?.end();
  }
}
