import type { Place } from "../core/place.ts";
import type { FormatName } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";

/** A recorded object, before anything of it was understood. */
export type NativeObject = Readonly<Record<string, unknown>>;

/**
 * How a program lays out what it records, for those who translate it value by value and want to get
 * every value back. The reader's own model leaves out what it has no word for; nothing may get lost
 * here.
 */
export type NativeForm = MessageForm | LineForm;

/** The layout of files of a format. */
export function formFor(form: NativeForm, format: FormatName): NativeForm {
  return form.kind === "messages" ? (form.others?.get(format) ?? form) : form;
}

interface FormBase {
  /** How records call the program. */
  cliName: string;
  /** Who offers the models that it talks to. */
  vendor: string;
  /** What a model's name alone would let one think about its vendor. */
  vendorOf(model: string): string;
  lines(bytes: ByteSource): Iterable<NativeLine>;
  /** Whole records that a damaged line still holds. */
  recover(line: NativeLine): unknown[];
}

/** Whole messages are recorded, under an id and maybe several times: an entry is a message. */
export interface MessageForm extends FormBase {
  kind: "messages";
  /** Which recorded types are a person's or a model's words; all others are events. */
  speakers: ReadonlyMap<string, Speaker>;
  names: NativeNames;
  /** Formats whose files are laid out in another way. */
  others?: ReadonlyMap<FormatName, MessageForm>;
  /** One value per line, or one document with a list of messages in it. */
  shapeOf(format: FormatName): "lines" | "document" | undefined;
  /** Where the messages and the facts of a line's value stand. */
  layoutOf(value: NativeObject): NativeLayout;
  /** The id by which the reader knows a recorded message. */
  idOf(message: NativeObject, place: Place): string;
  /** The result of a call is only the beginning of what it was. */
  isCut(call: NativeObject): boolean;
  /** What a call did to a file, as far as its record tells. */
  fileActOf(call: NativeObject): FileAct | undefined;
}

/** Every line is recorded once and never again: an entry is a line. */
export interface LineForm extends FormBase {
  kind: "lines";
  /** The draft has a mapping for the program, so that records can follow it. */
  isInDraft: boolean;
  shapeOf(format: FormatName): "lines" | undefined;
  /** Its lines are not lines of the file itself: that is packed, or one document. */
  isWrapped(bytes: ByteSource): boolean;
  /** What a line tells about the session as a whole. */
  factsOf(line: NativeObject): LineFacts;
  /** Nothing for a line that the mapping leaves out; the lossless one leaves out none. */
  entryOf(line: NativeObject, mapping: LineMapping): LineEntry | undefined;
  /** The line that an entry of the lossless mapping was most likely made from. */
  lineOf(entry: NativeObject): NativeObject;
  /** Members of entries that the first description of the mapping leaves out. */
  unseeded: ReadonlySet<string>;
  /** Takes the lines of a session in order, and says what became of calls that touch files. */
  actReader(): ActReader;
}

export type ActReader = (line: NativeObject) => ToldActs[];

/** What a call did, told with its result. */
export interface ToldActs {
  callId: string;
  model?: string;
  acts: FileAct[];
}

/** One that loses nothing, or that of the draft's own scripts. */
export type LineMapping = "lossless" | "reference";

export interface LineEntry {
  /** Members that have a meaning in records; `undefined` is none. */
  entry: NativeObject;
  /** All others, under their own names. */
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

export type Speaker = "user" | "assistant";

/** How recorded objects name what every session has. */
export interface NativeNames {
  session: Record<"id" | "start" | "end" | "messages", string>;
  message: Record<
    "id" | "timestamp" | "type" | "content" | "model" | "tokens" | "thoughts" | "calls",
    string
  >;
  /** What a message of a speaker is called when nothing else is known. */
  types: Record<Speaker, string>;
  thought: Record<"content" | "subject" | "timestamp", string>;
  call: Record<"id" | "name" | "input" | "result" | "status" | "timestamp", string>;
  /** The status of a call that failed. */
  failed: string;
  /** Counts that records call differently: recorded name → name in records. */
  counts: ReadonlyMap<string, string>;
  /** The same, for names that only others ever used. */
  otherCounts: ReadonlyMap<string, string>;
  /** Members of a call that only tell how it was shown. */
  shown: ReadonlySet<string>;
}

/** One line; its bytes are valid only until the next one is asked for. */
export interface NativeLine {
  place: Place;
  bytes: Buffer;
  /** Longer than can be read; the bytes are only its beginning. */
  isTooLong: boolean;
  /** False for a last line that may be half-written. */
  isTerminated: boolean;
}

export interface NativeLayout {
  /** The value itself is a message. */
  isMessage: boolean;
  /** Keys that lead to a list of messages inside it. */
  list?: readonly string[];
  /** Keys that lead to facts about the session; none when it is the value itself. */
  facts?: readonly string[];
}

/** What a successful call did to a file, or may have done to all of them. */
export type FileAct =
  /** The whole text of the file at that moment. */
  | { kind: "read"; path: string; text: string }
  /** Both texts are recorded; `null`: there was no file. */
  | { kind: "exchange"; path: string; before: string | null; after: string; hand: Hand }
  /** Only the new text is; an overwritten one may have had the same lines. */
  | { kind: "write"; path: string; text: string; was: "new" | "overwritten"; hand: Hand }
  | { kind: "replace"; path: string; old: string; fresh: string; times: Times; hand: Hand }
  | { kind: "unclear"; path: string; why: string }
  | { kind: "shell" };

/** How often an old text must occur: exactly so many times, or as often as it does. */
export type Times = number | "all";

/** `mixed`: a person changed what the model had proposed before it was written. */
export type Hand = "ai" | "mixed";
