import type { ByteSource } from "../kernel/bytes.ts";
import type { BlindSpots } from "../core/blind-spots.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Entry } from "../core/entry.ts";
import type { RecordedMessage } from "../core/message.ts";
import type { Project, ProjectEvidence } from "../core/project.ts";
import type { Session } from "../core/session.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { SpilledOutput, ToolCall } from "../core/tool-call.ts";
import type { FormatName, SessionFile } from "../core/session-file.ts";
import type { NativeForm } from "./native.ts";
import type { View } from "./view.ts";

/** A program whose sessions we can read. What differs between programs is here, nowhere else. */
export interface Source {
  id: string;
  name: string;
  /** How ledgers of other tools call it. */
  ledgerName: string;
  /** Who makes its models, in the words of OpenTelemetry and of models.dev. */
  modelVendor?: { otel: string; models: string };
  /** What it never records, so that a sum over its sessions is less than what was paid. */
  blindSpots: BlindSpots;
  /** How it lays out what it records, for translations that lose nothing. */
  native: NativeForm;
  /** Where it leaves its files on this machine, and why each place applies. */
  roots(surroundings: Surroundings): Root[];
  /** Every file below a root that may tell about a session. */
  find(root: Root, report: Report): FoundHome;
  /** Which directories the project folders of a root stand for, as far as its files tell. */
  projects(around: ProjectsAround, report: Report): ProjectIndex;
  /** How long the program keeps its own sessions under a root. */
  retention(root: Root): RetentionSettings;
  /** Decodes a session file into entries. Never throws because of content. */
  read(bytes: NamedBytes, into: EntrySink): ReadAs;
  /**
   * The quick way to what a session cost: the entries that `read` gives, without their words.
   * Nothing when it is not sure to give the same; then what it gave is to be forgotten.
   */
  skim?: (file: WholeFile, into: SkimSink) => ReadAs | undefined;
  /** Room for the bytes of one file, from where they can be skimmed without a copy. */
  skimRoom?: (length: number) => Buffer | undefined;
  readSavedChat(file: SessionFile, bytes: NamedBytes, report: Report): Omit<SavedChat, "project">;
  readPromptLog(file: SessionFile, bytes: NamedBytes, report: Report): Omit<PromptLog, "project">[];
  /** The id that a session file names, from its first bytes alone. */
  peekId(bytes: NamedBytes): string | undefined;
  /** What the program's clean-up goes by, from the name of a session file alone. */
  cleanUpName(path: string): CleanUpName | undefined;
  /** When a session file was last written, as far as a few of its bytes tell. */
  peekLastMs(file: SessionFile, bytes: NamedBytes): number | undefined;
  /** The file that holds a tool's whole output when the recorded one was cut. */
  findSpill(
    call: ToolCall,
    around: { root: string; folder: string; sessionId: string; view: View },
  ): SpilledOutput | undefined;
  /** The files with which the program finds and resumes a session again. Writes nothing. */
  restoration(session: Session, wish: RestoreWish): Restoration;
  /** Where below a root something moves when a session does. */
  watched(root: Root): string[];
  /** How the program is made to call another one when a session ends. */
  hook?: SourceHook;
}

export interface SourceHook {
  /** When the command is run. */
  about: string;
  /** The file of settings that holds it. */
  file(root: string): string;
  /** What belongs into that file, as a file of its own. */
  snippet(command: string): string;
  /** The settings with the hook; all else stays. */
  install(text: string | undefined, command: string): HookOutcome;
}

export type HookOutcome =
  | { kind: "there" }
  | { kind: "changed"; text: string }
  | { kind: "refused"; why: string };

export interface RestoreWish {
  /** The root to restore into. */
  root: string;
  /** The bytes of the session's files, from the disk or from the archive. */
  open: (file: string) => ByteSource;
  /** Its directory, when the session does not tell or another is meant. */
  projectPath?: string;
  /** The version of the program that shall read it; the newest by default. */
  forVersion?: string;
  /** Makes a copy under this id. */
  newId?: string;
  /** Files that belong to the session beside its own: its agents' sessions, spilled outputs. */
  companions: readonly SessionFile[];
  platform: NodeJS.Platform;
  nowMs: number;
}

export interface Restoration {
  sessionId: string;
  projectPath: string;
  file: { path: string; text: string };
  /** Files that make the folder the project's own, where they are missing. */
  claims: { path: string; text: string }[];
  /** Has them written, while the program does not write its own; throws when it does not stop. */
  claim(write: (claim: { path: string; text: string }) => void): void;
  /** Where the companions go. */
  companions: { from: SessionFile; path: string }[];
  /** Files that are there already, and that the program deletes together with this one. */
  siblings: string[];
  /** Whether the program would find the session in a file at this path. */
  isFoundAt(path: string): boolean;
  messages: number;
  /** What to run in the project's directory. */
  command: string[];
}

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  tempDir: string;
  platform: NodeJS.Platform;
  /** Roots asked for by name; when there are any, no other applies. */
  wished: readonly string[];
}

export interface Root {
  path: string;
  /** Where the wish for it comes from (`--root`, a variable, the default). */
  because: string;
  isFound: boolean;
}

export interface FoundHome {
  files: SessionFile[];
  /** Names of the project folders below the root, also of those without sessions. */
  folders: string[];
}

export interface ProjectsAround {
  root: string;
  folders: readonly string[];
  view: View;
}

/** Finds the project of a session from all evidence of its root. */
export interface ProjectIndex {
  projectOf(clues: ProjectClues): Project;
  /** The same project; with a path, when any session asked about has told one for its hash. */
  nameAgain(project: Project): Project;
  /** What a session's words tell of its path, unless something surer already does. */
  told(clues: ProjectClues): ToldPath | undefined;
}

/** A path that a session mentions and whose hash is the recorded one. */
export interface ToldPath {
  path: string;
  by: ProjectEvidence;
}

/** What a session itself tells about its project. */
export interface ProjectClues {
  folder: string;
  projectHash?: string;
  directories: readonly string[];
  /** Its messages, in which paths are mentioned. */
  messages: readonly Pick<RecordedMessage, "injections" | "references" | "toolCalls">[];
  /** What was told when the messages were read; they are not searched again. */
  told?: ToldPath;
}

export interface CleanUpName {
  /** Files of one folder that have this in common are deleted together. */
  together: string;
  begunMs?: number;
}

/** How long the program keeps its own sessions. */
export interface RetentionSettings {
  isEnabled: boolean;
  maxAgeDays?: number;
  /** So many of a project stay; older ones are deleted, whatever their age. */
  maxSessions?: number;
  /** Where the answer comes from: a settings file, or the default of current versions. */
  from: string;
}

/** The bytes of one file, wherever they lie: on the disk or in the archive. */
export type NamedBytes = ByteSource;

/** How a file turned out to be written, and by which versions of the program at the earliest. */
export interface ReadAs {
  format: FormatName;
  generation: string;
}

export type Report = (diagnostic: Diagnostic) => void;

/** All bytes of a file; they are valid only during the call. */
export interface WholeFile {
  path: string;
  bytes: Buffer;
}

export type SkimSink = Pick<EntrySink, "entry">;

export interface EntrySink {
  entry(entry: Entry): void;
  report: Report;
}
