import type { Diagnostic } from "../../../core/diagnostic.ts";
import type { Entry } from "../entry.ts";
import type { FormatName } from "../../../core/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";

/** One on-disk generation: tells whether a file is written that way, and decodes it. */
export interface Format {
  name: FormatName;
  claims(head: Head): boolean;
  /** Never throws because of content: what cannot be used is reported. */
  read(source: ByteSource, sink: Sink): void;
}

/** What the first bytes of a file look like. */
export interface Head {
  /** First character that is no white space; `""` for an empty file. */
  opening: string;
  /** The first line, when it ended within the head. */
  firstLine?: string;
  /** The beginning of the file as text. */
  text: string;
}

/** Takes what a format finds, in file order. */
export interface Sink {
  entry(entry: Entry): void;
  report: (diagnostic: Diagnostic) => void;
}
