import { EMPTY_FORMAT, UNKNOWN_FORMAT } from "../../core/session-file.ts";
import type { Sink } from "./formats/format.ts";
import { formatOf, lookAt } from "./formats/index.ts";
import { NotingSink } from "./generation.ts";
import type { ReadEntries } from "./interpret/play-file.ts";

/** Decodes a session file by the format that its first bytes show. */
export const readEntries: ReadEntries = (bytes, sink) => {
  const head = lookAt(bytes);
  if (head.opening === "") {
    const message = "The file is empty; the session it held was lost when it was rewritten.";
    sink.report({ code: "empty-file", severity: "damage", message, file: bytes.path });
    return { format: EMPTY_FORMAT, generation: "unknown" };
  }
  const format = formatOf(head);
  if (!format) {
    const message = "The file is written in no known form of a session.";
    sink.report({ code: "unknown-format", severity: "damage", message, file: bytes.path });
    return { format: UNKNOWN_FORMAT, generation: "unknown" };
  }
  // A history in the place of a session: some tools write, and some documents describe, such files.
  if (format.name === "saved-chat") {
    const message = "The file holds a history without a session; it is known by its name.";
    sink.report({ code: "no-session-id", severity: "repair", message, file: bytes.path });
  }
  const noting = new ReadingSink(sink);
  format.read(bytes, noting);
  return { format: format.name, generation: noting.traits.generation(format.name) };
};

/** Remarks pass as they are. */
class ReadingSink extends NotingSink implements Sink {
  readonly report: Sink["report"];

  constructor(sink: Sink) {
    super(sink);
    this.report = sink.report;
  }
}
