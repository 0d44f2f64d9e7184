import type { Archive, StoredSession } from "../store/archive.ts";
import type { Project } from "../core/project.ts";
import type { Source } from "../sources/source.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { archivedHome } from "./archived-home.ts";
import { projectAgain } from "./assemble.ts";
import { readSavedChats } from "./gather.ts";

/**
 * Names the projects of all sessions again, after something that tells about them has changed. A
 * path that one session tells holds for all with the same hash.
 */
export function nameProjects(archive: Archive, sources: readonly Source[]): void {
  const homes = archivedHomes(archive, sources);
  const named = homes.flatMap((home) =>
    archive.rows.sessions({ roots: [home.kept.id] }).map((session) => {
      return { session, project: projectAgain(session.clues, home.projects) };
    }),
  );
  // Saved chats tell paths too; what they tell is remembered by the projects of their home.
  readSavedChats(homes, () => undefined);
  archive.write(() => {
    for (const { session, project } of named) rename(archive, session, nameAgain(homes, project));
  });
}

/** Every root whose source is known, as it is kept. */
export function archivedHomes(archive: Archive, sources: readonly Source[]): ArchivedHome[] {
  return archive.files.roots().flatMap((root) => {
    const source = sources.find(({ id }) => id === root.source);
    if (!source) return [];
    return [archivedHome(archive, source, { root, files: archive.files.files(root) })];
  });
}

export function nameAgain(homes: readonly ArchivedHome[], project: Project): Project {
  return homes.reduce((named, home) => home.projects.nameAgain(named), project);
}

function rename(archive: Archive, { key, digest }: StoredSession, project: Project): void {
  const known = digest.session.project;
  const isSame =
    known.name === project.name &&
    known.path === project.path &&
    known.hash === project.hash &&
    known.knownBy === project.knownBy;
  if (!isSame) archive.rows.rename(key, project);
}
