import type { Retention } from "../core/retention.ts";
import type { Conversation } from "../core/conversation.ts";
import type { FileEdit } from "../core/file-edit.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { ToolCall } from "../core/tool-call.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { HomeView, ProjectIndex, Report, Root } from "./home.ts";
import type { NativeForm } from "./native.ts";
import type { SettingsEntries } from "./settings-entry.ts";

/** What a source can do beyond being read. */
export interface Abilities {
  /** How long the agent keeps its own sessions. Without it, people are told: it deletes none. */
  retention?: RetentionAbility;
  /** Puts a session back where the agent finds and resumes it. */
  restore?: RestoreAbility;
  /** Writes a conversation of another agent so that this one lists and resumes it. */
  handover?: HandoverAbility;
  /** What Pollux can add to the agent's settings; loaded when somebody wants that. */
  settingsEntries?: () => Promise<SettingsEntries>;
  /** What a call changed in files, text by text. */
  fileEdits?: (call: ToolCall) => FileEdit[];
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
  settings(root: Root): Retention;
  /** What the clean-up goes by, from the name of a session file alone. */
  cleanUpName(path: string): CleanUpName | undefined;
  /** When a session file was last written, as far as a few of its bytes tell. */
  peekLastMs(file: SessionFile, bytes: ByteSource): number | undefined;
  /** How sessions stay for good. */
  advice?: RetentionAdvice;
}

/** What to know about a clean-up, and what ends it. */
export interface RetentionAdvice {
  /** What it goes by beside the age, in a sentence. */
  remark?: string;
  /** What to add to which file of settings below the root. */
  settings: { file: string; text: string };
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
  read(file: SessionFile, bytes: ByteSource, report: Report): ReadPromptLog[];
}

/** The project is told by the file itself, or by the folder that it lies in. */
export type ReadPromptLog = Omit<PromptLog, "project"> & Partial<Pick<PromptLog, "project">>;

export interface ProjectAbility {
  /** Which directories the project folders of a root stand for, as far as its files tell. */
  index(home: Omit<HomeView, "projects">, report: Report): ProjectIndex;
}

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
  /** Makes a copy under this id, a random UUID; an agent with other ids makes its own of it. */
  newId?: string;
  /** Files that belong to the session beside its own: its agents' sessions, spilled outputs. */
  companions: readonly SessionFile[];
  platform: NodeJS.Platform;
  nowMs: number;
}

export interface Restoration extends Claims {
  sessionId: string;
  projectPath: string;
  /** With its bytes where they are no text. */
  file: { path: string; text: string; bytes?: Buffer };
  /** Lines to be added to lists that the agent reads, such as its list of titles. */
  appends?: { path: string; line: string }[];
  /** Where the companions go; those that are not named are not put back. */
  companions: { from: SessionFile; path: string }[];
  /** Files that are there already, and that the program deletes together with this one. */
  siblings?: string[];
  /** Whether the program would find the session in a file at this path. */
  isFoundAt(path: string): boolean;
  messages: number;
  /** What to run in the project's directory. */
  command: string[];
}

/** Files without which the agent does not find a session: they make a folder its project's own. */
export interface Claims {
  claims?: { path: string; text: string }[];
  /** Has them written while the agent does not write its own; throws when it does not stop. */
  claim?: (write: (claim: { path: string; text: string }) => void) => void;
}

export interface HandoverAbility {
  /** The program that people start, and the package of npm that it comes in. */
  program: { command: string; packageName: string };
  /** The oldest version that goes on with what is written, as `0.39`. */
  since: string;
  /** The files of a new session. Writes nothing. */
  plan(conversation: Conversation, request: HandoverRequest): HandoverPlan;
  /** Does something to lists of the agent while it does not; throws when it does not stop. */
  whileLocked?(paths: readonly string[], nowMs: number, work: () => void): void;
}

export interface HandoverRequest {
  /** The root to write into. */
  root: string;
  /** The id of the new session: a random UUID; an agent with other ids makes its own of it. */
  newId: string;
  /** A new random UUID with every call, for what has an id of its own. */
  uuid: () => string;
  /** The version of the agent that shall read it, where it is known. */
  version?: string;
  platform: NodeJS.Platform;
  nowMs: number;
  /** Minutes that local time is ahead of UTC at an instant. */
  localOffsetMinutes: (ms: number) => number;
}

export interface HandoverPlan extends Claims {
  sessionId: string;
  /** The session itself. */
  file: { path: string; text: string };
  /** Lines to be added to lists that the agent reads, such as its list of titles. */
  appends?: { path: string; line: string }[];
  /** What to run in the project's directory. */
  command: string[];
  /** What the agent will do with it that people should know. */
  remarks: string[];
}
