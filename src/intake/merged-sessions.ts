import type { Archive, StoredSession } from "../archive/archive.ts";
import { groupBy } from "../model/group.ts";
import { digestOf } from "../replay/digest.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { assemble, hasSession, sessionIdOf } from "./assemble.ts";
import { playFile } from "./read.ts";

/**
 * One session may lie in several roots: in a copied home, or on two machines. Rows are made root by
 * root; those of one id are put together from their bytes, once, when an answer is about both.
 */
export function mergedSessions(
  archive: Archive,
  stored: readonly StoredSession[],
  homes: () => readonly ArchivedHome[],
): StoredSession[] {
  const groups = [...groupBy(stored, ({ id }) => id).values()];
  if (groups.length === stored.length) return [...stored];
  return groups.flatMap((group) => (group.length === 1 ? group : merge(archive, group, homes())));
}

function merge(
  archive: Archive,
  group: readonly StoredSession[],
  homes: readonly ArchivedHome[],
): StoredSession[] {
  const [first] = group;
  if (!first) return [];
  const roots = group.flatMap(({ rootId }) => rootId ?? []).toSorted((a, b) => a - b);
  const known = archive.rows.merged(first.id, roots);
  if (known) return [known];
  const played = homes
    .filter(({ kept }) => roots.includes(kept.id))
    .flatMap((home) => playedOf(archive, home, first.id));
  const { session, clues } = assemble(first.id, played);
  const digest = digestOf(session);
  if (archive.mode === "read") return [{ ...first, rootId: undefined, digest, clues }];
  archive.write(() => archive.rows.put({ digest, clues, roots }));
  const merged = archive.rows.merged(first.id, roots);
  return merged ? [merged] : [first];
}

function playedOf(
  archive: Archive,
  home: ArchivedHome,
  id: string,
): Parameters<typeof assemble>[1][number][] {
  const ids = new Set(archive.rows.filesOf(id, home.kept.id));
  return home.files
    .filter(({ path }) => ids.has(home.fileAt(path)?.id ?? -1))
    .map((file) => {
      const bytes = home.open(file);
      return { home, ...playFile(home.source, file, { bytes, weight: "full" }) };
    })
    .filter((one) => hasSession(one) && sessionIdOf(one) === id);
}
