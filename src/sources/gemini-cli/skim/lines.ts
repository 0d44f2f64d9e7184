import type { Entry } from "../entry.ts";
import type { RecordedMessage } from "../../../core/message.ts";
import type { Place } from "../../../core/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { EntrySink } from "../entry.ts";
import { readRecord } from "../formats/append-jsonl.ts";
import { parseJson } from "../../decoding/parse.ts";
import { skimHeader, skimPatch } from "./facts.ts";
import { FIRST, slotOf } from "./layout.ts";
import { BAD } from "./scalars.ts";
import type { Row } from "./row.ts";
import { asciiName, stubOf } from "./stub.ts";
import type { Walker } from "./walker.ts";

const NEWLINE = 10;
const [ID, REWIND, SET] = [slotOf("id"), slotOf("$rewindTo"), slotOf("$set")] as const;
const [LISTED, MESSAGES] = [slotOf("$set.messages"), slotOf("messages")] as const;

/** One record per line. Says whether all of them could be skimmed. */
export function skimLines(
  walker: Walker,
  { path }: Pick<ByteSource, "path">,
  into: EntrySink,
): boolean {
  const reader = new LineSkimmer(into);
  let start = FIRST;
  for (let number = 1; start < walker.end; number += 1) {
    const end = walker.walkRecord(start);
    // A record over several lines is none; nor may anything stand behind it.
    if (end === BAD || walker.breaks !== 0) return false;
    if (end !== walker.end && walker.bytes[end] !== NEWLINE) return false;
    const place = { file: path, line: number, start: start - FIRST, end: end - FIRST };
    if (!reader.take(walker.row, place)) return false;
    start = end + 1;
  }
  return true;
}

class LineSkimmer {
  readonly #into: EntrySink;
  /** A header came, and nothing was said since. */
  #isStarting = false;

  constructor(into: EntrySink) {
    this.#into = into;
  }

  take(row: Row, place: Place): boolean {
    const entry = this.#entryOf(row, place);
    if (!entry) return false;
    this.#into.entry(entry);
    return true;
  }

  /** In the order in which the reader tells records apart. */
  #entryOf(row: Row, place: Place): Entry | undefined {
    if (row.has(REWIND)) {
      const toId = asciiName(row, REWIND);
      return toId === undefined ? undefined : { kind: "rewind", place, toId };
    }
    if (row.has(ID)) {
      this.#isStarting = false;
      const message = stubOf(row, place);
      return message && { kind: "message", place, message };
    }
    if (row.has(SET)) return row.isObject(SET) ? this.#patchOf(row, place) : undefined;
    const facts = row.has(MESSAGES) ? undefined : skimHeader(row);
    if (!facts) return undefined;
    this.#isStarting = true;
    return { kind: "header", place, facts };
  }

  #patchOf(row: Row, place: Place): Entry | undefined {
    if (row.has(LISTED) && !this.#takeStart(row, place)) return undefined;
    const facts = skimPatch(row);
    return facts && { kind: "facts", place, facts };
  }

  /** Every start writes its context. A list of anything else can only be told from its words. */
  #takeStart({ bytes }: Row, place: Place): boolean {
    if (!this.#isStarting) return false;
    this.#isStarting = false;
    const line = bytes.subarray(FIRST + place.start, FIRST + place.end);
    const listed = readListed(line, place);
    if (listed?.length !== 1 || !listed.every(isContext)) return false;
    this.#into.entry({ kind: "rewrite", place, messages: listed });
    return true;
  }
}

/** The messages of a `$set`, as the reader reads them; nothing when it has a remark. */
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
  const isTold = injections.some(({ kind }) => kind === "session-context");
  return isTold && !isPrompt && usage === undefined;
}
