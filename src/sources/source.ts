import type { BlindSpots } from "../core/blind-spots.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { SessionContent } from "../core/session.ts";
import type { FormatName, SessionFile } from "../core/session-file.ts";
import type { ToolCategory } from "../core/tool-call.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Abilities } from "./abilities.ts";
import type { Environment, FoundHome, HomeView, Report, Root } from "./home.ts";

export type * from "./abilities.ts";
export type * from "./home.ts";

/**
 * An agent whose sessions can be read. What differs between agents is here and in the agent's own
 * folder, nowhere else: a new agent is one folder and one line in `index.ts`
 * (docs/new-agent.md, step by step).
 *
 * Reading has two steps. `read` decodes one file: it knows how bytes are written and nothing of
 * what they mean. `interpret` gives meaning to files that belong together and makes sessions of
 * them.
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
   * Keys of what a file belongs to, from its first bytes (or its path) alone. Files of the source
   * that share a key, also by way of others, are interpreted together.
   */
  keysOf(file: SessionFile, bytes: ByteSource): string[];
  /** Decodes a session file. Never throws because of content: what is wrong is reported. */
  read(file: SessionFile, bytes: ByteSource, options: ReadOptions): Decoded<Content> | "declined";
  /** What the places of a file refer to, when its bytes are packed. */
  unpacked?(file: SessionFile, bytes: ByteSource): ByteSource;
  /** Makes sessions of files: one file may hold several, one session may lie in several files. */
  interpret(files: readonly DecodedFile<Content>[], depth: Depth): SessionContent[];
  /** The content of a file that could not be read at all. */
  emptyContent: Content;
  /** Paths below a root to watch: something changes there when a session does. */
  watched(root: Root): string[];

  /** What this source can do beyond being read. */
  abilities: Abilities;
}

/**
 * How much of a file is wanted. `usage` may skip all that a sum of tokens does not need: it gives
 * the same replies as `full`, or declines. `outline` leaves out the bulk of texts, so that memory
 * does not grow with what was said; lists and sums are the same.
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

/** Names of tools → what people and other programs call them. */
export interface ToolTable {
  /** Every name that it knows, as recorded. */
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
