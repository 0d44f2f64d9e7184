import type { Place } from "../core/files/place.ts";
import type { FormatName } from "../core/files/session-file.ts";
import type { Authorship, FileEdit } from "../core/session/file-edit.ts";
import type { ByteSource } from "../kernel/bytes.ts";

/** A recorded object, not yet interpreted. */
export type NativeObject = Readonly<Record<string, unknown>>;

/**
 * Describes how an agent lays out its records, for lossless translation. Unlike the reader's model,
 * which drops what it has no field for, a translation must preserve every value.
 */
export type NativeForm = MessageForm | LineForm;

/** Returns the layout for files of a format. */
export function formFor(form: NativeForm, format: FormatName): NativeForm {
  return form.kind === "messages" ? (form.others?.get(format) ?? form) : form;
}

interface FormBase {
  /** The agent's name in verifiable records. */
  cliName: string;
  /** The vendor of the agent's models. */
  vendor: string;
  /** Guesses the vendor from a model's name. */
  vendorOf(model: string): string;
  lines(bytes: ByteSource): Iterable<NativeLine>;
  /** Recovers complete records from a damaged line. */
  recover(line: NativeLine): unknown[];
}

/**
 * For agents that record whole messages, by id and possibly several times: an entry is a message.
 */
export interface MessageForm extends FormBase {
  kind: "messages";
  /** Recorded types that are messages of the user or the model; all others are events. */
  speakers: ReadonlyMap<string, Speaker>;
  names: NativeNames;
  /** Formats with a different layout. */
  others?: ReadonlyMap<FormatName, MessageForm>;
  /** Whether files hold one value per line, or one document with a list of messages. */
  shapeOf(format: FormatName): "lines" | "document" | undefined;
  /** Locates the messages and the session facts in a line's value. */
  layoutOf(value: NativeObject): NativeLayout;
  /** Returns the id that the reader gives to a recorded message. */
  idOf(message: NativeObject, place: Place): string;
  /** Whether the recorded result of a call is cut short. */
  isCut(call: NativeObject): boolean;
  /** Returns what a call did to a file, as far as recorded. */
  fileActOf(call: NativeObject): FileAct | undefined;
}

/** For agents that record every line exactly once: an entry is a line. */
export interface LineForm extends FormBase {
  kind: "lines";
  /** Whether the draft standard for verifiable records defines a mapping for this agent. */
  isInDraft: boolean;
  shapeOf(format: FormatName): "lines" | undefined;
  /**
   * Whether the file is compressed or a single document, so that its lines are not lines of the
   * file.
   */
  isWrapped(bytes: ByteSource): boolean;
  /** Returns what a line records about the session as a whole. */
  factsOf(line: NativeObject): LineFacts;
  /**
   * Returns undefined for lines that the mapping leaves out; the lossless mapping leaves out none.
   */
  entryOf(line: NativeObject, mapping: LineMapping): LineEntry | undefined;
  /** Reconstructs the line that an entry of the lossless mapping was most likely made from. */
  lineOf(entry: NativeObject): NativeObject;
  /** Members of entries that the first description of the mapping leaves out. */
  unseeded: ReadonlySet<string>;
  /**
   * Returns a function that takes a session's lines in order and reports what calls did to files.
   */
  actReader(): ActReader;
}

export type ActReader = (line: NativeObject) => CallActs[];

/** What a call did to files, reported together with its result. */
export interface CallActs {
  callId: string;
  model?: string;
  acts: FileAct[];
}

/** The lossless mapping, or that of the draft's reference scripts. */
export type LineMapping = "lossless" | "reference";

export interface LineEntry {
  /** Members that records define; `undefined` means absent. */
  entry: NativeObject;
  /** All other members, under their recorded names. */
  rest: NativeObject;
}

export interface LineFacts {
  sessionId?: unknown;
  at?: unknown;
  workingDir?: unknown;
  cliVersion?: unknown;
  provider?: unknown;
  model?: unknown;
  revision?: unknown;
  branch?: unknown;
  repository?: unknown;
}

type Speaker = "user" | "assistant";

/** Names of common fields in recorded objects. */
export interface NativeNames {
  session: Record<"id" | "start" | "end" | "messages", string>;
  message: Record<
    "id" | "timestamp" | "type" | "content" | "model" | "tokens" | "thoughts" | "calls",
    string
  >;
  /** Default type of a speaker's message. */
  types: Record<Speaker, string>;
  thought: Record<"content" | "subject" | "timestamp", string>;
  call: Record<"id" | "name" | "input" | "result" | "status" | "timestamp", string>;
  /** Status of a failed call. */
  failed: string;
  /** Counts with a different name in records: recorded name → name in records. */
  counts: ReadonlyMap<string, string>;
  /** The same for names that only other tools write. */
  otherCounts: ReadonlyMap<string, string>;
  /** Members of a call that only describe how it was displayed. */
  shown: ReadonlySet<string>;
}

/** One line. Its bytes are valid only until the next line is requested. */
export interface NativeLine {
  place: Place;
  bytes: Buffer;
  /** The line is too long to be read; `bytes` holds only its beginning. */
  isTooLong: boolean;
  /** False for a last line without a newline, which may be incomplete. */
  isTerminated: boolean;
}

export interface NativeLayout {
  /** Whether the value itself is a message. */
  isMessage: boolean;
  /** Path of keys to a list of messages in the value. */
  list?: readonly string[];
  /** Path of keys to facts about the session; empty if the value itself holds them. */
  facts?: readonly string[];
}

/** What a call did to a file; a shell command may have changed any file. */
export type FileAct =
  /** The whole text of the file at that time. */
  | { kind: "read"; path: string; text: string }
  | (FileEdit & { kind: "edit"; hand: Authorship })
  | { kind: "unclear"; path: string; why: string }
  | { kind: "shell" };
