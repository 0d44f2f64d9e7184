import type { BlindSpots } from "../core/blind-spots.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Project, ToldPath } from "../core/project.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { RecordedMessage } from "../core/message.ts";
import type { Session } from "../core/session.ts";
import type { FormatName, SessionFile } from "../core/session-file.ts";
import type { ToolCategory } from "../core/tool-call.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { NativeForm } from "./native.ts";
import type { View } from "./view.ts";

/**
 * An agent whose sessions can be read. What differs between agents is here and in the agent's own
 * folder, nowhere else: a new agent is one folder, one line in `index.ts`, its fixtures and its page
 * in `docs/formats`.
 *
 * Reading has two steps. `read` decodes one file: it knows how bytes are written and nothing of what
 * they mean. `interpret` gives meaning to files that belong together and makes sessions of them.
 */
export interface Source<Content = unknown> {
  id: string;
  name: string;
  /** Short names by which the command line knows it, too. */
  aliases: readonly string[];
  /** How ledgers of other tools call it; keys of usage facts begin with it. */
  ledgerName: string;
  /** Who makes its models, in the words of OpenTelemetry and of models.dev. */
  modelVendor?: { otel: string; models: string };
  /** What it never records, so that a sum over its sessions is less than what was paid. */
  blindSpots: BlindSpots;
  /** Names of the formats that `read` tells apart; each has a section in `docs/formats`. */
  formats: readonly FormatName[];
  tools: ToolTable;

  /** Where it leaves its files on this machine, and why each place applies. */
  roots(environment: Environment): Root[];
  /** Every file below a root that may tell about a session. Opens no credentials. */
  find(root: Root, report: Report): FoundHome;
  /**
   * Keys of what a file belongs to, from its first bytes (or its path) alone. Files of the source that
   * share a key, also by way of others, are interpreted together.
   */
  keysOf(file: SessionFile, bytes: ByteSource): string[];
  /** Decodes a session file. Never throws because of content: what is wrong is reported. */
  read(file: SessionFile, bytes: ByteSource, options: ReadOptions): Decoded<Content> | "declined";
  /** Makes sessions of files: one file may hold several, one session may lie in several files. */
  interpret(files: readonly DecodedFile<Content>[], depth: Depth): Session[];
  /** The content of a file that could not be read at all. */
  nothing: Content;
  /** Paths below a root to watch: something changes there when a session does. */
  watched(root: Root): string[];

  /** What this source can do beyond being read. */
  abilities: Abilities;
}

/**
 * How much of a file is wanted. `usage` may skip all that a sum of tokens does not need: it gives the
 * same replies as `full`, or declines. `outline` leaves out the bulk of texts, so that memory does not
 * grow with what was said; lists and sums are the same.
 */
export type Depth = "usage" | "outline" | "full";

export interface ReadOptions {
  depth: Depth;
  report: Report;
  /** Only what had been written by then. */
  until?: WrittenBy;
}

/** A moment in the life of a file. */
export interface WrittenBy {
  atMs: number;
  /** So much of the file was there by then, whatever times it tells. */
  sureBytes: number;
}

/** What was decoded of a file: how it is written, and its content in the source's own terms. */
export interface Decoded<Content = unknown> {
  format: FormatName;
  /** The versions of the program that write so. */
  generation: string;
  content: Content;
}

export interface DecodedFile<Content = unknown> extends Decoded<Content> {
  file: SessionFile;
  /** The root that it lies in: files of one session may lie in several. */
  home: HomeView;
  diagnostics: readonly Diagnostic[];
}

/** A root with what lies below it: on the disk, or as it is kept. */
export interface HomeView {
  root: string;
  /** Names of the project folders below the root. */
  folders: readonly string[];
  view: View;
  /** Of a source with that ability; made when first asked for. */
  readonly projects?: ProjectIndex;
}

/** Names of tools → what people and other programs call them. */
export interface ToolTable {
  find(name: string): ToolNames | undefined;
}

export interface ToolNames {
  /** `Read`, `Bash`, … */
  label: string;
  /** `file_read`, `shell_exec`, … */
  canonical: string;
  category: ToolCategory;
}

export interface Abilities {
  /** The agent deletes its own sessions: how long it keeps them. */
  retention?: RetentionAbility;
  /** Puts a session back where the agent finds and resumes it. */
  restore?: RestoreAbility;
  /** The agent can be made to call another program when a session ends. */
  hook?: SourceHook;
  /** Conversations saved by hand. */
  savedChats?: SavedChatAbility;
  /** What was typed, kept apart from the sessions. */
  promptLog?: PromptLogAbility;
  /** Directories of projects are known only from several files together. */
  projects?: ProjectAbility;
  /** How its records are laid out, for translations that lose nothing. */
  native?: NativeForm;
}

export interface RetentionAbility {
  settings(root: Root): RetentionSettings;
  /** What the clean-up goes by, from the name of a session file alone. */
  cleanUpName(path: string): CleanUpName | undefined;
  /** When a session file was last written, as far as a few of its bytes tell. */
  peekLastMs(file: SessionFile, bytes: ByteSource): number | undefined;
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

export interface CleanUpName {
  /** Files of one folder that have this in common are deleted together. */
  together: string;
  begunMs?: number;
}

export interface SavedChatAbility {
  read(file: SessionFile, bytes: ByteSource, report: Report): Omit<SavedChat, "project">;
}

export interface PromptLogAbility {
  read(file: SessionFile, bytes: ByteSource, report: Report): Omit<PromptLog, "project">[];
}

export interface ProjectAbility {
  /** Which directories the project folders of a root stand for, as far as its files tell. */
  index(home: Omit<HomeView, "projects">, report: Report): ProjectIndex;
}

/** Finds the project of a session from all evidence of its root. */
export interface ProjectIndex {
  projectOf(clues: ProjectClues): Project;
  /** The same project; with a path, when any session asked about has told one for its hash. */
  nameAgain(project: Project): Project;
  /** What a session's words tell of its path, unless something surer already does. */
  told(clues: ProjectClues): ToldPath | undefined;
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

export interface RestoreAbility {
  /** The files with which the agent finds and resumes a session again. Writes nothing. */
  plan(session: Session, request: RestoreRequest): Restoration;
}

export interface RestoreRequest {
  /** The root to restore into. */
  root: string;
  /** The bytes of the session's files, from the disk or from the store. */
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
