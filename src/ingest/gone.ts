import type { Archive } from "../store/archive.ts";
import type { Digest } from "../core/digest.ts";
import { withParts } from "../core/digest.ts";
import type { KeptRoot } from "../core/kept.ts";
import { optional } from "../core/optional.ts";
import type { SessionFileRef } from "../core/session.ts";
import { goneSince } from "../core/summarise.ts";
import type { ArchivedHome } from "./archived-home.ts";

/** Paths of files and contents that are no longer on the disk, and since when. */
export function goneTimes(
  archive: Archive,
  roots: readonly KeptRoot[],
): ReadonlyMap<string, number> {
  const gone = archive.files.gone(roots);
  for (const root of roots) {
    const replaced = archive.files.replaced(root, archive.rows.replaced(root.id));
    for (const { path, goneSinceMs = 0 } of replaced) gone.set(path, goneSinceMs);
  }
  return gone;
}

/** The same session, with what the disk no longer has. */
export function withGone(digest: Digest, gone: ReadonlyMap<string, number>): Digest {
  if (!digest.summary.files.some(({ path }) => gone.has(path))) return digest;
  const files = digest.session.files.map((file) => {
    return { ...file, ...optional("goneSinceMs", gone.get(file.path)) };
  });
  return withParts(digest, {
    session: { ...digest.session, files },
    summary: { ...digest.summary, goneSince: goneSince(files) },
  });
}

/** The same file, with since when the disk no longer has it. */
export function fileWithGone(file: SessionFileRef, homes: readonly ArchivedHome[]): SessionFileRef {
  const home = homes.find(({ root }) => root.path === file.root);
  return { ...file, ...optional("goneSinceMs", home?.fileAt(file.path)?.goneSinceMs) };
}
