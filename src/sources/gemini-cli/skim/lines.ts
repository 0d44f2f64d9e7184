import type { RecordedMessage } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { JsonLine } from "../../../kernel/json/lines.ts";
import { walkLines } from "../../../kernel/json/lines.ts";
import type { JsonWalk } from "../../../kernel/json/walk.ts";
import { asName } from "../../decoding/fields.ts";
import { parseJson } from "../../decoding/parse.ts";
import type { Entry, EntrySink } from "../content.ts";
import { readRecord } from "../formats/append-jsonl.ts";
import { isChatOpening } from "../formats/saved-chat.ts";
import { skimHeader, skimPatch } from "./facts.ts";
import { RECORD } from "./fields.ts";
import { skimMessage } from "./skim-message.ts";

const ID: number = RECORD.slot("id");
const REWIND: number = RECORD.slot("$rewindTo");
const SET: number = RECORD.slot("$set");
const LISTED: number = RECORD.slot("$set/messages");
const MESSAGES: number = RECORD.slot("messages");

/** Skims a file with one record per line. Returns whether all of them could be skimmed. */
export function skimLines(
  walk: JsonWalk,
  file: { bytes: ByteSource; sizeBytes: number },
  into: EntrySink,
): boolean {
  const skimmer = new LineSkimmer(file.bytes.path, into);
  const isWhole = walkLines(walk, { source: file.bytes, fields: RECORD }, (line) => {
    // A line beyond the known size: the file has grown meanwhile.
    return line.end <= file.sizeBytes && skimmer.take(line);
  });
  return isWhole && skimmer.hasHeader;
}

/** A header without lists; only an unambiguous beginning is accepted. */
const HEADER = /^\{"sessionId":[^[]*\}$/;

class LineSkimmer {
  readonly #path: string;
  readonly #into: EntrySink;
  /** A header was read, and no message since. */
  #isStarting = false;
  /** The text up to the first list, by which a saved chat is recognised. */
  #opening = "";
  #isOpened = false;

  constructor(path: string, into: EntrySink) {
    this.#path = path;
    this.#into = into;
  }

  get hasHeader(): boolean {
    return this.#opening !== "";
  }

  take(line: JsonLine): boolean {
    if (line.state !== "json" || !line.isUtf8) return false;
    const { number, start, end } = line;
    if (!this.#isOpened && !this.#open(line)) return false;
    const entry = this.#entryOf(line, { file: this.#path, line: number, start, end });
    if (!entry) return false;
    this.#into.entry(entry);
    return true;
  }

  /** Returns false if the file may not be lines of a session. */
  #open(line: JsonLine): boolean {
    const text = line.bytes.toString("latin1");
    if (this.#opening === "" && !(line.number === 1 && HEADER.test(text))) return false;
    this.#opening += text;
    this.#isOpened = text.includes("[");
    return !isChatOpening(this.#opening);
  }

  /** Checks record kinds in the same order as the reader. */
  #entryOf(line: JsonLine, place: Place): Entry | undefined {
    const { row } = line;
    if (row.has(REWIND)) {
      const toId = asName(row.text(REWIND));
      return toId === undefined ? undefined : { kind: "rewind", place, toId };
    }
    if (row.has(ID)) {
      this.#isStarting = false;
      const message = skimMessage(row, place);
      return message && { kind: "message", place, message };
    }
    if (row.has(SET)) return row.isObject(SET) ? this.#patchOf(line, place) : undefined;
    const facts = row.has(MESSAGES) ? undefined : skimHeader(row);
    if (!facts) return undefined;
    this.#isStarting = true;
    return { kind: "header", place, facts };
  }

  #patchOf(line: JsonLine, place: Place): Entry | undefined {
    if (line.row.has(LISTED) && !this.#takeStart(line, place)) return undefined;
    return { kind: "facts", place, facts: skimPatch(line.row) };
  }

  /**
   * Accepts a list with only the start context, which every start writes. The meaning of any other
   * list depends on texts.
   */
  #takeStart({ bytes }: JsonLine, place: Place): boolean {
    if (!this.#isStarting) return false;
    this.#isStarting = false;
    const listed = readListed(bytes, place);
    if (listed?.length !== 1 || !listed.every(isContext)) return false;
    this.#into.entry({ kind: "rewrite", place, messages: listed });
    return true;
  }
}

/**
 * Returns the messages of a `$set` as the reader reads them; undefined if it reports a diagnostic.
 */
function readListed(bytes: Buffer, place: Place): RecordedMessage[] | undefined {
  const parsed = parseJson(bytes);
  if (!parsed.isJson || parsed.hasInvalidText) return undefined;
  let listed: RecordedMessage[] | undefined;
  let hasRemark = false;
  readRecord(parsed.value, place, {
    entry: (entry) => {
      if (entry.kind === "rewrite") listed = entry.messages;
    },
    report: () => {
      hasRemark = true;
    },
  });
  return hasRemark ? undefined : listed;
}

function isContext({ injections, isPrompt, usage }: RecordedMessage): boolean {
  const hasContext = injections.some(({ kind }) => kind === "session-context");
  return hasContext && !isPrompt && usage === undefined;
}
