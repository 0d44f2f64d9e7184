import type { KnownFile } from "../core/files/kept.ts";
import type { Source } from "../sources/source.ts";
import type { Store } from "../store/store.ts";
import type { StoredHome } from "./stored-home.ts";

/** More are not given new names between two looks; all of them would be a lot of rows. */
const LATEST = 500;

/**
 * The files of sessions that have another title now than when they were read: it stands in a list
 * beside them, which changes without them. What is wrong with a list is told with its home.
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
