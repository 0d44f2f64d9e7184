/** The directory a session belonged to; its path when that is known, its hash otherwise. */
export interface Project {
  name: string;
  path?: string;
  hash?: string;
  knownBy: ProjectEvidence;
}

/** How the path is known, strongest evidence first. A path is never a guess. */
export const PROJECT_EVIDENCE = [
  "marker",
  "registry",
  "history-marker",
  "recorded",
  "directories",
  "context",
  "trusted-folders",
  "tool-paths",
  "folder-name",
  "hash",
] as const;
export type ProjectEvidence = (typeof PROJECT_EVIDENCE)[number];

/** A project at a path that was recorded. */
export function projectAt(path: string): Project {
  const name = path.split(/[\\/]/).findLast((segment) => segment !== "") ?? path;
  return { name, path, knownBy: "recorded" };
}

/** A path of a project, and what it is known by. */
export interface KnownPath {
  path: string;
  by: ProjectEvidence;
}

/** What names the project, without the session's words: asked again when more evidence is there. */
export interface StoredClues {
  files: readonly {
    root: string;
    folder: string;
    projectHash?: string;
    mentionedPath?: KnownPath;
  }[];
  directories: readonly string[];
}
