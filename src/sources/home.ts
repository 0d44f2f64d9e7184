import type { Diagnostic } from "../core/files/diagnostic.ts";
import type { RecordedMessage } from "../core/session/message.ts";
import type { Project, KnownPath } from "../core/session/project.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type { View } from "./view.ts";

export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  tempDir: string;
  platform: NodeJS.Platform;
  /** Roots given with `--root`; if there are any, no others are used. */
  requestedRoots: readonly string[];
}

export interface Root {
  path: string;
  /** Origin of the root (`--root`, a variable, the default). */
  because: string;
  isFound: boolean;
}

export interface FoundHome {
  files: SessionFile[];
  /** Names of the project folders below the root, including those without sessions. */
  folders: string[];
}

export type Report = (diagnostic: Diagnostic) => void;

/** A root and its files, on disk or in the store. */
export interface HomeView {
  root: string;
  /** Names of the project folders below the root. */
  folders: readonly string[];
  view: View;
  /** Present if the source has the `projects` ability; created on first use. */
  readonly projects?: ProjectIndex;
}

/** Finds the project of a session from all evidence in its root. */
export interface ProjectIndex {
  projectOf(clues: ProjectClues): Project;
  /** Returns the project, with a path if any session queried so far mentioned one for its hash. */
  nameAgain(project: Project): Project;
  /** Returns the path that a session's text mentions, unless stronger evidence exists. */
  mentionedPath(clues: ProjectClues): KnownPath | undefined;
}

/** Evidence about its project in the session itself. */
export interface ProjectClues {
  folder: string;
  projectHash?: string;
  directories: readonly string[];
  /** Messages to search for paths. */
  messages: readonly Pick<RecordedMessage, "injections" | "references" | "toolCalls">[];
  /** Path found when the messages were first read; they are not searched again. */
  mentionedPath?: KnownPath;
}
