import type { Archive, NewSession, StoredSession } from "../store/archive.ts";
import { groupBy } from "../core/group.ts";
import { digestOf } from "../core/make-digest.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { assemble, hasSession, sessionIdOf } from "./assemble.ts";
import { playFile } from "./read.ts";
import { quietly } from "./recall.ts";

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
  const revision = archive.answers.revision();
  const merged = groups.flatMap((group) => merge(archive, group, homes));
  const news = merged.flatMap(({ made }) => made ?? []);
  if (news.length > 0 && archive.mode === "write") quietly(() => put(archive, news, revision));
  return merged.map(({ session, made }) => {
    return (made && archive.rows.merged(session.id, made.roots)) ?? session;
  });
}

/** All at once: beside a process that does not stop writing, there is one wait, and an answer. */
function put(archive: Archive, news: readonly NewSession[], revision: number): void {
  archive.write(() => {
    // Another process may have taken in more of them meanwhile.
    if (archive.answers.revision() !== revision) return;
    for (const one of news) archive.rows.put(one);
  });
}

/** One session of several rows, and what is to be remembered of it when it had to be made. */
interface Merged {
  session: StoredSession;
  made?: NewSession;
}

function merge(
  archive: Archive,
  group: readonly StoredSession[],
  homes: () => readonly ArchivedHome[],
): Merged[] {
  const [first] = group;
  if (!first) return [];
  if (group.length === 1) return [{ session: first }];
  const roots = group.flatMap(({ rootId }) => rootId ?? []).toSorted((a, b) => a - b);
  const known = archive.rows.merged(first.id, roots);
  if (known) return [{ session: known }];
  const played = homes()
    .filter(({ kept }) => roots.includes(kept.id))
    .flatMap((home) => playedOf(archive, home, first.id));
  const { session, clues } = assemble(first.id, played);
  const digest = digestOf(session);
  const made = { digest, clues, roots };
  return [{ session: { ...first, rootId: undefined, digest, clues }, made }];
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
