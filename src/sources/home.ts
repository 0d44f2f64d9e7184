import type { Diagnostic } from "../core/diagnostic.ts";
import type { RecordedMessage } from "../core/message.ts";
import type { Project, KnownPath } from "../core/project.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { View } from "./view.ts";

export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  tempDir: string;
  platform: NodeJS.Platform;
  /** Roots asked for by name; when there are any, no other applies. */
  askedRoots: readonly string[];
}

export interface Root {
  path: string;
  /** Where it comes from (`--root`, a variable, the default). */
  because: string;
  isFound: boolean;
}

export interface FoundHome {
  files: SessionFile[];
  /** Names of the project folders below the root, also of those without sessions. */
  folders: string[];
}

export type Report = (diagnostic: Diagnostic) => void;

/** A root with what lies below it: on the disk, or as it is kept. */
export interface HomeView {
  root: string;
  /** Names of the project folders below the root. */
  folders: readonly string[];
  view: View;
  /** Of a source with that ability; made when first asked for. */
  readonly projects?: ProjectIndex;
}

/** Finds the project of a session from all evidence of its root. */
export interface ProjectIndex {
  projectOf(clues: ProjectClues): Project;
  /** The same project; with a path, when any session asked about has told one for its hash. */
  nameAgain(project: Project): Project;
  /** What a session's words tell of its path, unless something surer already does. */
  mentionedPath(clues: ProjectClues): KnownPath | undefined;
}

/** What a session itself tells about its project. */
export interface ProjectClues {
  folder: string;
  projectHash?: string;
  directories: readonly string[];
  /** Its messages, in which paths are mentioned. */
  messages: readonly Pick<RecordedMessage, "injections" | "references" | "toolCalls">[];
  /** What was told when the messages were read; they are not searched again. */
  mentionedPath?: KnownPath;
}
