import type { KnownFile } from "../core/files/kept.ts";
import type { Source } from "../sources/source.ts";
import type { Store } from "../store/store.ts";
import type { StoredHome } from "./stored-home.ts";

/** Titles to compare, newest first: comparing all would load too many rows. */
const LATEST = 500;

/**
 * Returns the files of sessions whose title has changed since they were read. Titles are in a
 * separate list, which changes without the session files. Its diagnostics are added to the home.
 */
export async function retitledFiles(
  store: Store,
  source: Source,
  { homes, hasNews }: { homes: readonly StoredHome[]; hasNews: boolean },
): Promise<KnownFile[]> {
  const paths: string[] = [];
  for (const { root, view, diagnostics } of homes) {
    const titles = source.abilities.titles?.(view, (diagnostic) => diagnostics.push(diagnostic));
    if (!hasNews || !titles || titles.size === 0) continue;
    const ids = [...titles.keys()].slice(-LATEST);
    const query = { scope: [root.id], filter: { source: source.id }, sort: "newest" } as const;
    const { items } = await store.sessions({ ...query, ids });
    const renamed = items.filter(({ session }) => session.summary !== titles.get(session.id));
    paths.push(...renamed.flatMap(({ session }) => session.files.map(({ path }) => path)));
  }
  return paths.length === 0 ? [] : store.known({ source: source.id, paths, replaced: "with" });
}
