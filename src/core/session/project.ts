import { compareTexts } from "../lists.ts";

/** The directory that a session belongs to: its path if known, otherwise its hash. */
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

/**
 * Returns the project with the strongest evidence; files of one session may be in several folders.
 */
export function strongestProject(projects: readonly Project[]): Project | undefined {
  return projects.toSorted((a, b) => {
    const rank = PROJECT_EVIDENCE.indexOf(a.knownBy) - PROJECT_EVIDENCE.indexOf(b.knownBy);
    return rank === 0 ? compareTexts(a.path ?? "", b.path ?? "") : rank;
  })[0];
}

/** Returns the project at a recorded path. */
export function projectAt(path: string): Project {
  const name = path.split(/[\\/]/).findLast((segment) => segment !== "") ?? path;
  return { name, path, knownBy: "recorded" };
}

/** A project's path and the evidence for it. */
export interface KnownPath {
  path: string;
  by: ProjectEvidence;
}

/**
 * The evidence that identifies a session's project, stored so that the project can be determined
 * again when more evidence arrives.
 */
export interface StoredClues {
  files: readonly {
    root: string;
    folder: string;
    projectHash?: string;
    mentionedPath?: KnownPath;
  }[];
  directories: readonly string[];
}
