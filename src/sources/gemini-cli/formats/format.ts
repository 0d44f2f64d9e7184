import type { Diagnostic } from "../../../core/files/diagnostic.ts";
import type { Entry } from "../content.ts";
import type { FormatName } from "../../../core/files/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";

/** One on-disk format: recognises files in this format and decodes them. */
export interface Format {
  name: FormatName;
  claims(head: Head): boolean;
  /** Never throws because of content: problems are reported. */
  read(source: ByteSource, sink: Sink): void;
}

/** The beginning of a file. */
export interface Head {
  /** First character that is not white space; `""` for an empty file. */
  opening: string;
  /** The first line, if it ends within the head. */
  firstLine?: string;
  /** The beginning of the file as text. */
  text: string;
}

/** Receives what a format reads, in file order. */
export interface Sink {
  entry(entry: Entry): void;
  report: (diagnostic: Diagnostic) => void;
}
