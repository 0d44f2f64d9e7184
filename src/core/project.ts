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
  "directories",
  "context",
  "trusted-folders",
  "tool-paths",
  "folder-name",
  "hash",
] as const;
export type ProjectEvidence = (typeof PROJECT_EVIDENCE)[number];
