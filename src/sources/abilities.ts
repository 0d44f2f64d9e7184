import type { Retention } from "../core/files/expiry.ts";
import type { Conversation } from "../core/session/conversation.ts";
import type { FileEdit } from "../core/session/file-edit.ts";
import type { PromptLog } from "../core/session/prompt-log.ts";
import type { SavedChat } from "../core/session/saved-chat.ts";
import type { Session } from "../core/session/session.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type { ToolCall } from "../core/session/tool-call.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { HomeView, ProjectIndex, Report, Root } from "./home.ts";
import type { NativeForm } from "./native.ts";
import type { SettingsEntries } from "./settings-entry.ts";

/** Optional features of a source, beyond reading its sessions. */
export interface Abilities {
  /**
   * How long the agent keeps its own sessions. Without it, users are told that the agent deletes
   * none.
   */
  retention?: RetentionAbility;
  /** Restores a session to where the agent finds and resumes it. */
  restore?: RestoreAbility;
  /** Writes a conversation of another agent so that this agent lists and resumes it. */
  handover?: HandoverAbility;
  /** Entries that Pollux can add to the agent's settings; loaded on demand. */
  settingsEntries?: () => Promise<SettingsEntries>;
  /** Returns the text changes that a tool call made to files. */
  fileEdits?: (call: ToolCall) => FileEdit[];
  /** Conversations that users saved by hand. */
  savedChats?: SavedChatAbility;
  /** Prompts that the agent logs separately from its sessions. */
  promptLog?: PromptLogAbility;
  /** Session titles from a list beside the session files, by session id; newest last. */
  titles?: (home: HomeView, report: Report) => ReadonlyMap<string, string>;
  /** For agents whose project directories can only be determined from several files together. */
  projects?: ProjectAbility;
  /** The layout of its records, for lossless translations. */
  native?: NativeForm;
}

export interface RetentionAbility {
  settings(root: Root): Retention;
  /** Returns what the agent's clean-up derives from the name of a session file. */
  cleanUpName(path: string): CleanUpName | undefined;
  /** Returns the last recorded time of a session file, determined from a few of its bytes. */
  peekLastMs(file: SessionFile, bytes: ByteSource): number | undefined;
  /** How users can turn the clean-up off. */
  advice?: RetentionAdvice;
}

/** Explains a clean-up, and how to turn it off. */
export interface RetentionAdvice {
  /** A sentence about what else, besides age, causes deletion. */
  remark?: string;
  /** The text to add to a settings file below the root. */
  settings: { file: string; text: string };
}

export interface CleanUpName {
  /** Files of one folder with the same value are deleted together. */
  together: string;
  begunMs?: number;
}

export interface SavedChatAbility {
  read(file: SessionFile, bytes: ByteSource, report: Report): Omit<SavedChat, "project">;
}

export interface PromptLogAbility {
  read(file: SessionFile, bytes: ByteSource, report: Report): ReadPromptLog[];
}

/** The project is absent if it must be derived from the file's folder. */
export type ReadPromptLog = Omit<PromptLog, "project"> & Partial<Pick<PromptLog, "project">>;

export interface ProjectAbility {
  /**
   * Finds the directories that a root's project folders stand for, as far as its files record them.
   */
  index(home: Omit<HomeView, "projects">, report: Report): ProjectIndex;
}

export interface RestoreAbility {
  /** The session ids that the agent accepts; others could be read as an option or as a path. */
  ids: RegExp;
  /**
   * Returns the files that make the agent find and resume a session again. Writes nothing.
   * Undefined if the session has nothing to resume.
   */
  plan(session: Session, request: RestoreRequest): Restoration | undefined;
}

export interface RestoreRequest {
  /** The root to restore into. */
  root: string;
  /** Opens a file of the session, on disk or in the store. */
  open: (file: string) => ByteSource;
  /** The id to restore it under: its own, or a random UUID for a copy. */
  id: string;
  /** Its project directory, as recorded or as requested. */
  projectPath: string;
  /** The agent version that will read it; the newest by default. */
  forVersion?: string;
  /** Other files that belong to the session: subagents' sessions, spilled outputs. */
  companions: readonly SessionFile[];
  platform: NodeJS.Platform;
  nowMs: number;
}

export interface Restoration extends Claims {
  /** `bytes` is set if the content is not text. */
  file: { path: string; text: string; bytes?: Buffer };
  /** Lines to append to lists that the agent reads, such as its list of titles. */
  appends?: { path: string; line: string }[];
  /** Target paths of the companions; those not listed are not restored. */
  companions: { from: SessionFile; path: string }[];
  /** Existing files that the agent deletes together with this one. */
  siblings?: string[];
  /** Whether the agent would find the session in a file at this path. */
  isFoundAt(path: string): boolean;
  messages: number;
  /** The command to run in the project's directory. */
  command: string[];
}

/**
 * Files that assign a folder to the session's project; without them the agent does not find it.
 */
export interface Claims {
  claims?: { path: string; text: string }[];
  /** Writes the claims under the agent's lock; throws if the agent does not release it. */
  claim?: (write: (claim: { path: string; text: string }) => void) => void;
}

export interface HandoverAbility {
  /** The command that users start, and its npm package. */
  program: { command: string; packageName: string };
  /** The oldest version that can continue the written session, such as `0.39`. */
  since: string;
  /** Returns the files of a new session. Writes nothing. */
  plan(conversation: Conversation, request: HandoverRequest): HandoverPlan;
  /** Runs `work` under the lock of the agent's lists; throws if the agent does not release it. */
  whileLocked?(paths: readonly string[], nowMs: number, work: () => void): void;
}

export interface HandoverRequest {
  /** The root to write into. */
  root: string;
  /** Id of the new session: a random UUID. Agents with another id format derive theirs from it. */
  newId: string;
  /** Returns a new random UUID on every call, for records that need ids. */
  uuid: () => string;
  /** The agent version that will read it, if known. */
  version?: string;
  platform: NodeJS.Platform;
  nowMs: number;
  /** Returns the offset of local time from UTC at an instant, in minutes. */
  localOffsetMinutes: (ms: number) => number;
}

export interface HandoverPlan extends Claims {
  sessionId: string;
  /** The session file. */
  file: { path: string; text: string };
  /** Lines to append to lists that the agent reads, such as its list of titles. */
  appends?: { path: string; line: string }[];
  /** The command to run in the project's directory. */
  command: string[];
  /** Notes for users about what the agent will do with the session. */
  remarks: string[];
}
