import type { Entry, EntrySink } from "../content.ts";
import type { RecordedMessage } from "../../../core/session/message.ts";
import type { FormatName } from "../../../core/files/session-file.ts";

/**
 * Files do not name the version that wrote them, but each generation has characteristic traits.
 * Returns the narrowest version range that the traits of a file prove.
 */
export class Traits {
  #hasRewrite = false;
  #hasParts = false;
  #hasNotices = false;
  #hasCalls = false;
  #hasKind = false;
  #hasSummary = false;

  note(entry: Entry): void {
    if (entry.kind === "rewrite") this.#hasRewrite = true;
    else if (entry.kind === "message") this.#noteMessage(entry.message);
    else if (entry.kind === "header" || entry.kind === "facts") {
      this.#hasKind ||= entry.facts.kind !== undefined;
      this.#hasSummary ||= entry.facts.summary !== undefined;
    }
  }

  #noteMessage(message: RecordedMessage): void {
    this.#hasParts ||= message.author === "user" && message.form === "parts";
    this.#hasNotices ||= message.author === "notice";
    this.#hasCalls ||= message.hasRecordedCalls;
  }

  generation(format: FormatName): string {
    if (format === "append-jsonl") return this.#hasRewrite ? "0.44–0.61" : "0.39–0.43";
    if (format !== "single-json") return "unknown";
    if (this.#hasKind) return "0.31–0.38";
    if (this.#hasParts) return "0.28–0.30";
    if (this.#hasNotices || this.#hasSummary) return "0.18–0.27";
    return this.#hasCalls ? "0.9–0.27" : "0.4–0.27";
  }
}

/**
 * Forwards entries and notes their traits. It is a class because compiled code belongs to a
 * function: a closure created for each file would be compiled again and again.
 */
export class TraitSink implements EntrySink {
  readonly traits: Traits = new Traits();
  readonly #into: EntrySink;

  constructor(into: EntrySink) {
    this.#into = into;
  }

  entry(entry: Entry): void {
    this.traits.note(entry);
    this.#into.entry(entry);
  }
}
