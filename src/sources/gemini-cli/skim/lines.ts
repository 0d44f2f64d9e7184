import type { Entry } from "../../../model/entry.ts";
import type { RecordedMessage } from "../../../model/message.ts";
import type { Place } from "../../../model/place.ts";
import type { SkimSink, WholeFile } from "../../source.ts";
import { readRecord } from "../formats/append-jsonl.ts";
import type { Json } from "../formats/fields.ts";
import { asObject } from "../formats/fields.ts";
import { parseJson } from "../formats/parse.ts";
import { skimFacts, skimHeader } from "./facts.ts";
import { walkRecord } from "./record.ts";
import { FIRST } from "./string-end.ts";
import { asciiName, stubOf } from "./stub.ts";
import type { Walker } from "./walker.ts";
import { BAD } from "./walker.ts";

const NEWLINE = 10;

/** One record per line. Says whether all of them could be skimmed. */
export function skimLines(walker: Walker, { path }: WholeFile, into: SkimSink): boolean {
  const reader = new LineSkimmer(into);
  let start = FIRST;
  for (let number = 1; start < walker.end; number += 1) {
    const record: Json = {};
    const end = walkRecord(walker, start, { record });
    // A record over several lines is none; nor may anything stand behind it.
    if (end === BAD || walker.breaks !== 0) return false;
    if (end !== walker.end && walker.bytes[end] !== NEWLINE) return false;
    const place = { file: path, line: number, start: start - FIRST, end: end - FIRST };
    const bytes = walker.bytes.subarray(start, end);
    if (!reader.take(record, { bytes, place })) return false;
    start = end + 1;
  }
  return true;
}

class LineSkimmer {
  readonly #into: SkimSink;
  /** A header came, and nothing was said since. */
  #isStarting = false;

  constructor(into: SkimSink) {
    this.#into = into;
  }

  take(record: Json, line: Line): boolean {
    const entry = this.#entryOf(record, line);
    if (!entry) return false;
    this.#into.entry(entry);
    return true;
  }

  /** In the order in which the reader tells records apart. */
  #entryOf(record: Json, line: Line): Entry | undefined {
    const { place } = line;
    if ("$rewindTo" in record) {
      const toId = asciiName(record["$rewindTo"]);
      return toId === undefined ? undefined : { kind: "rewind", place, toId };
    }
    if ("id" in record) {
      this.#isStarting = false;
      const message = stubOf(record, place);
      return message && { kind: "message", place, message };
    }
    const patch = asObject(record["$set"]);
    if (patch) return this.#patchOf(patch, line);
    const header = skimHeader(record);
    if (!header || "messages" in record || "$set" in record) return undefined;
    this.#isStarting = true;
    return { kind: "header", place, facts: header.facts };
  }

  #patchOf(patch: Json, line: Line): Entry | undefined {
    const { place } = line;
    if ("messages" in patch && !this.#takeStart(line)) return undefined;
    const facts = skimFacts(patch);
    return facts && { kind: "facts", place, facts };
  }

  /** Every start writes its context. A list of anything else can only be told from its words. */
  #takeStart({ bytes, place }: Line): boolean {
    if (!this.#isStarting) return false;
    this.#isStarting = false;
    const listed = readListed(bytes, place);
    if (listed?.length !== 1 || !listed.every(isContext)) return false;
    this.#into.entry({ kind: "rewrite", place, messages: listed });
    return true;
  }
}

interface Line {
  bytes: Buffer;
  place: Place;
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
