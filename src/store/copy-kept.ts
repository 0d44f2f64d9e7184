import type { KnownFile, KnownRoot, Version } from "../core/kept.ts";
import type { ImportReport, Store } from "./store.ts";
import { digestOf, takeState } from "./take-state.ts";

/**
 * Puts all that one store keeps into another, state by state, in the order in which it was kept.
 * Only by what every store can do, so that it works between any two of them.
 */
export async function copyKept(from: Store, to: Store): Promise<ImportReport> {
  const before = await to.care.stats();
  for (const root of await from.roots()) {
    const { source, path, how, machine } = root;
    const own = await to.addRoot({ source, path, how, machine }, root.lookedMs);
    for (const file of await from.known({ rootId: root.id })) {
      await copyFile(from, to, { file, root: own });
    }
  }
  await copyNotes(from, to);
  for (const { changedMs, ...annotation } of await from.annotations({})) {
    await to.annotate([{ ...annotation, how: "set" }], changedMs);
  }
  const after = await to.care.stats();
  return {
    files: after.files.total - before.files.total,
    versions: after.versions - before.versions,
    chunks: after.chunks - before.chunks,
    bytes: after.distinctBytes - before.distinctBytes,
    roots: after.roots.length - before.roots.length,
  };
}

/**
 * What was forgotten there is not to come in here either. But it removes nothing that is kept
 * here, and paths of another machine say nothing about this one.
 */
async function copyNotes(from: Store, to: Store): Promise<void> {
  const ids = (await from.forgotten()).sessions;
  if (ids.length === 0) return;
  const kept = await to.sessions({ scope: "own", filter: {}, sort: "newest", ids });
  const there = new Set(kept.items.map(({ summary }) => summary.id));
  const sessions = ids.filter((id) => !there.has(id)).map((id) => ({ source: "", id }));
  await to.forget({ files: [], sessions, paths: [], nowMs: 0 });
}

/** Every state of a file, and that it is gone. */
async function copyFile(
  from: Store,
  to: Store,
  { file, root }: { file: KnownFile; root: KnownRoot },
): Promise<void> {
  const versions = await from.versions(file.id);
  for (const version of versions) await copyState(from, to, { file, root, version });
  const { goneSinceMs } = file;
  const [known] = await to.known({ rootId: root.id, paths: [file.path] });
  if (goneSinceMs === undefined || !known || known.goneSinceMs !== undefined) return;
  if (known.sizeBytes !== file.sizeBytes || known.modifiedMs > file.modifiedMs) return;
  const files = [{ kind: "gone", known }] as const;
  await to.commit({ nowMs: goneSinceMs, files, readings: [], sessions: [], dropped: [] });
}

async function copyState(
  from: Store,
  to: Store,
  { file, root, version }: { file: KnownFile; root: KnownRoot; version: Version },
): Promise<void> {
  const { content, sizeBytes, modifiedMs, keptMs } = version;
  const bytes = await from.bytes({ path: file.path, content, sizeBytes });
  const state = {
    rootId: root.id,
    file: { ...file, sizeBytes, modifiedMs },
    keptMs,
    digest: version.digest ?? (await digestOf(bytes)),
    bytes,
  };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if ((await takeState(to, state)) !== "outdated") return;
  }
}

/** How often it is begun again when someone else was quicker. */
const MOST_TRIES = 5;
