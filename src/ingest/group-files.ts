import { addAll } from "../core/lists.ts";
import { groupConnected } from "../core/group.ts";
import type { KnownFile } from "../core/files/kept.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { Source } from "../sources/source.ts";
import { keysOf } from "./decode.ts";
import type { ChangedFile } from "./scan.ts";
import type { Store } from "../store/store.ts";

/** A file of a group, read from disk (`changed`) or from the store (`kept`). */
export interface GroupFile {
  file: SessionFile;
  keys: readonly string[];
  /** Set if the file may hold bytes that are not kept yet. */
  changed?: ChangedFile;
  /** Set if the file is read from the store. */
  kept?: KnownFile;
}

/** Keys per store query. */
const KEYS_AT_ONCE = 500;

/**
 * Groups changed and unread files with all kept files that share a key with them, directly or
 * through other files: a session is interpreted from all of its files.
 */
export async function groupFiles(
  store: Pick<Store, "known" | "bytes">,
  source: Source,
  news: { changed: readonly ChangedFile[]; unread: readonly KnownFile[] },
): Promise<GroupFile[][]> {
  const fromDisk = news.changed.map((changed): GroupFile => {
    const { file, known } = changed;
    const keys = keysOf(source, file, fileBytes(file.path, "found"));
    return { file, changed, keys: [...new Set([...keys, ...(known?.keys ?? [])])] };
  });
  const seen = new Set(news.changed.flatMap(({ known }) => known?.id ?? []));
  const members: GroupFile[] = [...fromDisk];
  for (const kept of news.unread.filter(({ id }) => !seen.has(id))) {
    const keys = keysOf(source, kept, await store.bytes(kept));
    members.push({ file: kept, kept, keys });
    seen.add(kept.id);
  }
  for await (const kept of connectedTo(store, members, { source, seen })) {
    members.push({ file: kept, kept, keys: kept.keys });
  }
  return groupConnected(members, ({ keys }) => keys);
}

/** Groups kept files with all other kept files that share a key with them. */
export async function keptGroups(
  store: Pick<Store, "known">,
  source: Source,
  files: readonly KnownFile[],
): Promise<KnownFile[][]> {
  const members = [...files];
  const seen = new Set(files.map(({ id }) => id));
  for await (const kept of connectedTo(store, members, { source, seen })) members.push(kept);
  return groupConnected(members, ({ keys }) => keys);
}

async function* connectedTo(
  store: Pick<Store, "known">,
  members: readonly { keys: readonly string[] }[],
  { source, seen }: { source: Source; seen: Set<number> },
): AsyncGenerator<KnownFile> {
  const asked = new Set<string>();
  let waiting = [...new Set(members.flatMap(({ keys }) => keys))];
  while (waiting.length > 0) {
    const keys = waiting.slice(0, KEYS_AT_ONCE);
    waiting = waiting.slice(KEYS_AT_ONCE);
    for (const key of keys) asked.add(key);
    for (const file of await store.known({ source: source.id, keys, replaced: "with" })) {
      if (seen.has(file.id)) continue;
      seen.add(file.id);
      addAll(
        waiting,
        file.keys.filter((key) => !asked.has(key)),
      );
      yield file;
    }
  }
}
