import type { KnownFile, KnownRoot, Version } from "../core/files/kept.ts";
import type { ImportReport, Store } from "./store.ts";
import { digestOf, importVersion } from "./import-version.ts";

/**
 * Copies everything that one store keeps into another, version by version, oldest first. Uses only
 * the Store contract, so it works between any two engines.
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
 * Copies the list of forgotten sessions. Sessions that the target keeps are not removed, and
 * forgotten paths are not copied because they belong to another machine.
 */
async function copyNotes(from: Store, to: Store): Promise<void> {
  const ids = (await from.forgotten()).sessions;
  if (ids.length === 0) return;
  const kept = await to.sessions({ scope: "own", ids });
  const there = new Set(kept.items.map(({ summary }) => summary.id));
  const sessions = ids.filter((id) => !there.has(id)).map((id) => ({ source: "", id }));
  await to.forget({ files: [], sessions, paths: [], nowMs: 0 });
}

/** Copies every version of a file, and whether it is deleted. */
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
    if ((await importVersion(to, state)) !== "outdated") return;
  }
}

/** Maximum number of attempts when another writer commits first. */
const MOST_TRIES = 5;
