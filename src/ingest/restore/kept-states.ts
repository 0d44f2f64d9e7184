import { originalPath } from "../../core/files/session-file.ts";
import type { KnownFile } from "../../core/files/kept.ts";
import type { Session } from "../../core/session/session.ts";
import type { Store } from "../../store/store.ts";
import type { OpenedFile } from "../decode.ts";
import type { FileStates, KeptState } from "./session-states.ts";

/**
 * Returns the files of a session with every kept state of each, oldest first. States that belong to
 * other sessions are left out.
 */
export async function keptStates(
  store: Store,
  { session, group }: { session: Session; group: readonly OpenedFile[] },
): Promise<FileStates> {
  const paths = new Set(session.files.map(({ path }) => path));
  const places = new Map(
    group
      .filter(({ file }) => paths.has(file.path))
      .map((opened) => [originalPath(opened.file), opened]),
  );
  const states = new Map<OpenedFile, KeptState[]>();
  for (const [path, opened] of places) {
    const known = await store.known({ paths: [path] });
    const here = known.find(({ root }) => root === opened.file.root);
    states.set(opened, here ? await statesOf(store, { known: here, session, opened }) : []);
  }
  return states;
}

async function statesOf(
  store: Store,
  { known, session, opened }: { known: KnownFile; session: Session; opened: OpenedFile },
): Promise<KeptState[]> {
  const versions = await store.versions(known.id);
  const contents = [...new Set(versions.map(({ content }) => content))];
  const ids = contents.filter((content) => content !== known.content).map((content) => -content);
  const replaced = await store.known({ ids, replaced: "with" });
  const byContent = new Map(replaced.map((file) => [file.content, file]));
  const own = versions.filter(({ content }) => {
    const { sessionIds, keys } = byContent.get(content) ?? known;
    // An older content that was not read has no session ids: then its keys decide.
    if (sessionIds.length === 0) return keys.some((key) => known.keys.includes(key));
    return sessionIds.includes(session.id);
  });
  const states: KeptState[] = [];
  for (const { content, sizeBytes, modifiedMs, keptMs } of own) {
    // Named as in the session, so that places refer to the same path.
    const bytes = await store.bytes({ path: opened.file.path, content, sizeBytes });
    states.push({ content, sizeBytes, modifiedMs, keptMs, bytes });
  }
  return states;
}
