import type { BlindSpots } from "../core/files/blind-spots.ts";
import type { Diagnostic } from "../core/files/diagnostic.ts";
import type { SessionContent } from "../core/session/session.ts";
import type { FormatName, SessionFile } from "../core/files/session-file.ts";
import type { ToolCategory } from "../core/session/tool-call.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Fields } from "../kernel/json/fields.ts";
import type { Abilities } from "./abilities.ts";
import type { Environment, FoundHome, HomeView, Report, Root } from "./home.ts";

export type * from "./abilities.ts";
export type * from "./home.ts";

/**
 * An agent whose sessions can be read. All differences between agents are described here and in the
 * agent's folder. How to add one, step by step: docs/new-agent.md.
 *
 * Reading has two steps. `read` decodes one file: it knows the file format but not what the records
 * mean. `interpret` gives meaning to files that belong together and builds sessions from them.
 */
export interface Source<Content = unknown> {
  id: string;
  name: string;
  /** Short names that the command line also accepts. */
  aliases: readonly string[];
  /** The agent's name in other tools' ledgers; the first part of usage facts' dedup keys. */
  ledgerName: string;
  /** The vendor of its models, as named by OpenTelemetry and by models.dev. */
  modelVendor?: { otel: string; models: string };
  /** Usage that it never records: sums over its sessions are lower than what was paid. */
  blindSpots: BlindSpots;
  /** Names of the formats that `read` distinguishes; each has a section in `docs/formats`. */
  formats: readonly FormatName[];
  tools: ToolTable;

  /**
   * Returns the folders in which the agent stores its files on this machine, and why each applies.
   */
  roots(environment: Environment): Root[];
  /** Finds every file below a root that may belong to a session. Opens no credentials. */
  find(root: Root, report: Report): FoundHome;
  /**
   * Returns keys that connect a file to others, from its first bytes or its path only. Files of the
   * source that share a key, directly or through other files, are interpreted together.
   */
  keysOf(file: SessionFile, bytes: ByteSource): string[];
  /** Decodes a session file. Never throws because of content: problems are reported. */
  read(file: SessionFile, bytes: ByteSource, options: ReadOptions): Decoded<Content> | "declined";
  /** What `read` walks at depth "usage", so that another thread can walk it ahead. */
  walked?(file: SessionFile): WalkedFile | undefined;
  /** For compressed files: returns the bytes that places refer to. */
  unpacked?(file: SessionFile, bytes: ByteSource): ByteSource;
  /**
   * Builds sessions from files: one file may hold several, and one session may span several files.
   */
  interpret(files: readonly DecodedFile<Content>[], depth: Depth): SessionContent[];
  /** The content of a file that could not be read. */
  emptyContent: Content;
  /** Paths below a root that change when a session changes. */
  watched(root: Root): string[];

  abilities: Abilities;
}

/** A file that is walked as lines, or as one document. */
export interface WalkedFile {
  as: "lines" | "document";
  fields: Fields;
}

/**
 * How much of a file to read. `usage` may skip everything that token sums do not need: it returns
 * the same replies as `full`, or declines. `outline` leaves out most text, so that memory does not
 * grow with the length of conversations; lists and sums are the same as with `full`.
 */
export type Depth = "usage" | "outline" | "full";

export interface ReadOptions {
  depth: Depth;
  report: Report;
  /** Return only what had been written by then. */
  until?: WrittenBy;
}

/** A point in time, and how much of the file existed then. */
export interface WrittenBy {
  atMs: number;
  /** Bytes that are known to have existed at that time, whatever times the records have. */
  sureBytes: number;
}

/** The result of decoding a file: its format, and its content in the source's own types. */
export interface Decoded<Content = unknown> {
  format: FormatName;
  /** The range of agent versions that write this form. */
  generation: string;
  content: Content;
}

export interface DecodedFile<Content = unknown> extends Decoded<Content> {
  file: SessionFile;
  /** The root of the file; files of one session may be in several roots. */
  home: HomeView;
  diagnostics: readonly Diagnostic[];
}

/** Maps recorded tool names to labels and canonical names. */
export interface ToolTable {
  /** Every known name, as recorded. */
  names: readonly string[];
  find(name: string): ToolNames | undefined;
}

export interface ToolNames {
  /** `Read`, `Bash`, … */
  label: string;
  /** `file_read`, `shell_exec`, … */
  canonical: string;
  category: ToolCategory;
}
