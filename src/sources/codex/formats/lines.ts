import { crc32 } from "node:zlib";
import type { Diagnostic } from "../../../core/files/diagnostic.ts";
import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import { instantOf } from "../../../core/instant.ts";
import { optional } from "../../../core/optional.ts";
import type { Place } from "../../../core/files/place.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject, asText, asTime } from "../../decoding/fields.ts";
import type { RecordGrammar } from "../../decoding/glued.ts";
import type { RecordSink } from "../../decoding/json-lines.ts";
import type { Line } from "../../decoding/lines.ts";
import type { ReadOptions } from "../../source.ts";
import type { Entry, Mark, Meta, RecordMeaning, Rollout } from "../content.ts";
import { rolloutName } from "../names.ts";
import { readEvent } from "./event.ts";
import { compactionOf, readItem, readSaid } from "./item.ts";
import { ordinalOf, readMeta } from "./meta.ts";
import { outlineOf } from "./outline.ts";
import { readUsage } from "./usage.ts";

/** Where a record can begin inside a damaged line. */
export const grammar: RecordGrammar = {
  opening: /\{"(?:timestamp|type|id|record_type)":/g,
  isRecord(value) {
    const record = asObject(value);
    const type = asName(record?.["type"]);
    if (!record || (type === undefined && record["record_type"] === undefined)) return false;
    return asObject(record["payload"]) !== undefined || record["timestamp"] === undefined;
  },
};

/** Features that identify the versions that wrote a file. */
export interface Traits {
  /** Lines with a time, a type and a payload (0.32+). */
  hasEnvelope: boolean;
  hasBareItems: boolean;
  hasOrdinals: boolean;
  hasRecords: boolean;
}

/** Entries that usage needs. */
const FOR_SUMS = new Set<RecordMeaning["kind"]>([
  "meta",
  "turn-start",
  "context",
  "state",
  "record",
  "counter",
  "rollback",
  "compacted",
  "prompt",
]);

type Times = { at: string | undefined; ordinal: number | undefined };

const TIMESTAMP = '{"timestamp":"';
const QUOTE = 34;
const BRACE = 123;
const RETURN = 13;

/** Reads rollouts with one record per line, of every generation. */
export class RolloutReader implements RecordSink {
  readonly rollout: Rollout = { entries: [], prints: [], times: [], lines: 0, hasTurns: false };
  readonly traits: Traits = {
    hasEnvelope: false,
    hasBareItems: false,
    hasOrdinals: false,
    hasRecords: false,
  };
  readonly report: (diagnostic: Diagnostic) => void;
  readonly #options: ReadOptions;
  readonly #unknown = new Set<string>();
  #cwd: string | undefined;
  #records = 0;
  #headers = 0;
  #line = 0;
  #onLine = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.report = options.report;
  }

  wants({ bytes, number, isTooLong }: Line): boolean {
    this.rollout.lines = number;
    if (number === 3 && this.#records < 2) this.rollout.isSecondLost = true;
    if (isTooLong) return true;
    if (!this.rollout.hasTurns && !this.traits.hasOrdinals) this.#fingerprint(bytes, number);
    return true;
  }

  /** Checksums a record without its time: copied ones have the time of the copy. */
  #fingerprint(bytes: Buffer, number: number): void {
    if (bytes[0] !== BRACE) return;
    const isTimed = bytes.toString("latin1", 0, TIMESTAMP.length) === TIMESTAMP;
    const end = isTimed ? bytes.indexOf(QUOTE, TIMESTAMP.length) : 0;
    const length = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    this.rollout.prints[number] = crc32(bytes.subarray(Math.max(0, end), length));
    if (this.rollout.copiedFrom === undefined || !isTimed) return;
    this.rollout.times[number] = instantOf(bytes.toString("latin1", TIMESTAMP.length, end));
  }

  record(value: unknown, place: Place): void {
    const record = asObject(value);
    if (!record) {
      const message = "The line does not contain a record.";
      return this.report(diagnosticAt(place, { code: "bad-line", severity: "damage", message }));
    }
    const at = asTime(record["timestamp"]);
    const mark = this.#markOf(place, { at, ordinal: ordinalOf(record["ordinal"]) });
    if (!mark) return;
    this.#take(this.#read(record, mark), mark);
  }

  /** Counts a line of the model's history that usage does not need. */
  pass(): void {
    this.#records += 1;
  }

  /** Adds a record that was read without parsing the whole line. */
  act(act: RecordMeaning, place: Place, times: Times): void {
    const mark = this.#markOf(place, times);
    if (!mark) return;
    this.traits.hasEnvelope = true;
    this.traits.hasRecords ||= act.kind === "record";
    this.#take(act, mark);
  }

  /** With turn ids, copied lines are recognised without reading all lines. */
  get namesTurns(): boolean {
    return this.rollout.hasTurns || this.traits.hasOrdinals;
  }

  #markOf(place: Place, { at, ordinal }: Times): Mark | undefined {
    this.#records += 1;
    this.rollout.lines = Math.max(this.rollout.lines, place.line);
    if (this.#isLater(at, place)) return undefined;
    this.traits.hasOrdinals ||= ordinal !== undefined;
    if (at !== undefined && this.rollout.meta) this.rollout.lastAt = at;
    const mark: Mark = { place, key: this.#keyOf(place) };
    if (at !== undefined) mark.at = at;
    if (ordinal !== undefined) mark.ordinal = ordinal;
    return mark;
  }

  /** Records on the same damaged line are numbered. */
  #keyOf({ line }: Place): string {
    this.#onLine = line === this.#line ? this.#onLine + 1 : 1;
    this.#line = line;
    return this.#onLine === 1 ? String(line) : `${line}.${this.#onLine}`;
  }

  #isLater(at: string | undefined, { end }: Place): boolean {
    const { until } = this.#options;
    if (!until || end <= until.sureBytes) return false;
    const time = at ?? this.rollout.meta?.startedAt;
    return time !== undefined && instantOf(time) > until.atMs;
  }

  #take(act: RecordMeaning | undefined, mark: Mark): void {
    if (!act) return;
    if (act.kind === "meta") this.#takeMeta(act.meta, mark);
    if (act.kind === "turn-start" && act.turnId !== undefined) this.rollout.hasTurns = true;
    if (act.kind === "context") this.#cwd = act.cwd ?? this.#cwd;
    if (act.kind === "unknown") return this.#takeUnknown(act.what, mark.place);
    const { depth } = this.#options;
    if (depth === "usage" && !FOR_SUMS.has(act.kind)) return;
    const entry = depth === "outline" ? outlineOf(act) : act;
    const isCounter = entry.kind === "counter";
    this.rollout.entries.push(isCounter ? counterAt(mark, entry) : Object.assign(mark, entry));
  }

  #takeMeta(meta: Meta, { at, place }: Mark): void {
    this.#headers += 1;
    this.#cwd ??= meta.cwd;
    const { rollout } = this;
    const { threadId } = meta;
    const ownId = rolloutName(place.file)?.threadId ?? rollout.meta?.threadId;
    if (threadId === undefined || ownId === undefined || threadId === ownId) {
      rollout.meta ??= meta;
      return;
    }
    // A fork begins with its own header, which may be damaged, and that of the other thread.
    if (rollout.copiedFrom !== undefined) return;
    if (rollout.meta && this.#records !== this.#headers) return;
    rollout.meta ??= { threadId: ownId };
    rollout.copiedFrom = threadId;
    if (at !== undefined) rollout.times[place.line] = instantOf(at);
  }

  /** A fork may have copied the name of the other thread. */
  #takeTitle(event: Json): void {
    const { rollout } = this;
    const ownId = rollout.meta?.threadId;
    if ((asName(event["thread_id"]) ?? ownId) !== ownId) return;
    Object.assign(rollout, optional("title", asName(event["thread_name"])));
  }

  /** Skips unknown records of newer versions, with one diagnostic per kind. */
  #takeUnknown(what: string, place: Place): void {
    if (this.#unknown.has(what) || this.#unknown.size > 20) return;
    this.#unknown.add(what);
    const message = `Records of the unknown kind ${JSON.stringify(what.slice(0, 40))}.`;
    this.report(diagnosticAt(place, { code: "unknown-entry", severity: "notice", message }));
  }

  #read(record: Json, mark: Mark): RecordMeaning | undefined {
    const payload = asObject(record["payload"]);
    if (payload) {
      this.traits.hasEnvelope = true;
      return this.#readPayload(asText(record["type"]) ?? "", payload, mark);
    }
    // Up to 0.31: a bare header, then bare items.
    if (record["record_type"] !== undefined) return { kind: "state" };
    if (record["type"] === undefined && record["role"] === undefined) {
      const isHeader = asName(record["id"]) !== undefined && !this.rollout.meta;
      return isHeader ? { kind: "meta", meta: readMeta(record) } : { kind: "unknown", what: "" };
    }
    this.traits.hasBareItems = true;
    return this.readItem(record, mark);
  }

  readItem(item: Json, { at, place, key }: Mark): RecordMeaning | undefined {
    return readItem(item, { cwd: this.#cwd, at, fallbackId: `${place.line}:${key}` });
  }

  #readPayload(type: string, payload: Json, mark: Mark): RecordMeaning | undefined {
    switch (type) {
      case "session_meta":
        return { kind: "meta", meta: readMeta(payload) };
      case "turn_context":
        return contextOf(payload);
      case "response_item":
        return this.readItem(payload, mark);
      case "event_msg": {
        if (payload["type"] === "thread_name_updated") this.#takeTitle(payload);
        const act = readEvent(payload, this.#cwd);
        return act === "bad-usage" ? this.#badUsage(mark) : act;
      }
      case "token_usage_record":
        return this.#usageRecord(payload, mark);
      case "compacted":
        return compactionOf(payload);
      case "inter_agent_communication":
        return readSaid({ role: "agent", content: payload["content"] });
      case "world_state":
      case "inter_agent_communication_metadata":
        return undefined;
      default:
        return { kind: "unknown", what: type };
    }
  }

  #usageRecord(payload: Json, mark: Mark): RecordMeaning | undefined {
    const responseId = asName(payload["response_id"]);
    const usage = readUsage(payload["usage"]);
    if (responseId === undefined || !usage) return this.#badUsage(mark);
    this.traits.hasRecords = true;
    const threadId = asName(payload["thread_id"]);
    const turnId = asName(payload["turn_id"]);
    return {
      kind: "record",
      responseId,
      usage,
      ...optional("threadId", threadId),
      ...optional("turnId", turnId),
    };
  }

  #badUsage({ place }: Mark): undefined {
    const message = "Token counts could not be used: they are not whole numbers.";
    this.report(diagnosticAt(place, { code: "bad-tokens", severity: "damage", message }));
  }
}

/** Without spreads: nearly all entries that usage needs are counters. */
function counterAt(
  { place, key, at, ordinal }: Mark,
  { kind, total, last }: Extract<RecordMeaning, { kind: "counter" }>,
): Entry {
  const entry: Entry = { place, key, kind, total, last };
  if (at !== undefined) entry.at = at;
  if (ordinal !== undefined) entry.ordinal = ordinal;
  return entry;
}

function contextOf(payload: Json): RecordMeaning {
  return {
    kind: "context",
    ...optional("turnId", asName(payload["turn_id"])),
    ...optional("model", asName(payload["model"])),
    ...optional("cwd", asName(payload["cwd"])),
  };
}
