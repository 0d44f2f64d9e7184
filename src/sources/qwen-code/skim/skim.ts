import type { Counts } from "../../../core/usage/counts.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { WHOLE } from "../../../kernel/json/fields.ts";
import type { JsonLine } from "../../../kernel/json/lines.ts";
import { walkLines } from "../../../kernel/json/lines.ts";
import type { Row } from "../../../kernel/json/row.ts";
import { RepeatedTexts } from "../../../kernel/json/row.ts";
import type { JsonWalk } from "../../../kernel/json/walk.ts";
import { jsonWalk } from "../../../kernel/json/walk.ts";
import { joinTexts } from "../../decoding/content.ts";
import { asTime, isCount } from "../../decoding/fields.ts";
import type { RecordHeader, PaidRequest, RecordMeaning } from "../content.ts";
import type { CountNames, Dialect, FoundCounts } from "../formats/usage.ts";
import { countsOf, dialectOf } from "../formats/usage.ts";
import type { RecordFileFacts } from "../formats/facts.ts";
import { emptyMessage, partsOf, signatureOf } from "../formats/message.ts";
import type { EntrySink } from "../formats/records.ts";
import { ARTIFACT, readRecord, SPOKEN } from "../formats/records.ts";
import { EVENT_COUNTS, RECORD, SLOTS, USAGE_COUNTS } from "./fields.ts";
import { losesWrites } from "../formats/telemetry.ts";

/**
 * Reads records as `readRecords` does for usage, but skips texts and tool outputs, which are most
 * of a session. Returns undefined if a line is damaged: then the file has to be parsed.
 */
export function skimRecords<Sink extends EntrySink>(
  source: ByteSource,
  newSink: () => Sink,
): Sink | undefined {
  const walk = jsonWalk();
  if (!walk) return undefined;
  // Only a compression needs signatures of answers, and few sessions have one.
  const quick = new Skimmer(source, newSink(), "counts");
  if (quick.read(walk)) return quick.sink;
  if (!quick.hasCompression) return undefined;
  const slower = new Skimmer(source, newSink(), "counts-and-signatures");
  return slower.read(walk) ? slower.sink : undefined;
}

const LINK: RecordMeaning = { kind: "link" };

/** Values that most lines share. */
const texts = new RepeatedTexts();

class Skimmer<Sink extends EntrySink> {
  readonly sink: Sink;
  hasCompression = false;
  readonly #source: ByteSource;
  readonly #what: "counts" | "counts-and-signatures";
  /** Links are never shown: all share one place. */
  readonly #somewhere: Place;
  #lastUuid = "";

  constructor(source: ByteSource, sink: Sink, what: "counts" | "counts-and-signatures") {
    this.#source = source;
    this.sink = sink;
    this.#what = what;
    this.#somewhere = { file: source.path, line: 1, start: 0, end: 0 };
  }

  read(walk: JsonWalk): boolean {
    return walkLines(walk, { source: this.#source, fields: RECORD }, (line) => this.#take(line));
  }

  #take(line: JsonLine): boolean {
    if (line.state !== "json" || !line.isUtf8) return false;
    const { row } = line;
    const uuid = row.isObject(WHOLE) ? row.text(SLOTS.uuid) : undefined;
    const saying = uuid ? this.#sayingOf(line, uuid) : "unusual";
    if (saying === "stop") return false;
    if (saying === "unusual" || !uuid) readRecord(row.value(), this.#placeOf(line), this.sink);
    else {
      const entry = Object.assign(this.#linkOf(line, uuid, saying), saying);
      this.sink.entry(entry, this.#aboutOf(row));
    }
    this.#lastUuid = uuid ?? "";
    return true;
  }

  #sayingOf(line: JsonLine, uuid: string): RecordMeaning | "unusual" | "stop" {
    const { row } = line;
    switch (texts.of(row, SLOTS.type) ?? "") {
      case "user":
      case "tool_result":
        return LINK;
      case "assistant":
        return texts.of(row, SLOTS.subtype) === SPOKEN ? LINK : this.#answerOf(line, uuid);
      case "system":
        return this.#systemOf(row);
      default:
        return "unusual";
    }
  }

  #systemOf(row: Row): RecordMeaning | "unusual" | "stop" {
    const subtype = texts.of(row, SLOTS.subtype) ?? "";
    if (subtype === "ui_telemetry") return this.#eventOf(row);
    if (subtype === "rewind") return { kind: "rewind" };
    if (ARTIFACT.test(subtype)) return { kind: "link", isArtifact: true };
    if (subtype !== "chat_compression") return LINK;
    this.hasCompression = true;
    return this.#what === "counts" ? "stop" : "unusual";
  }

  #answerOf(line: JsonLine, uuid: string): RecordMeaning | "unusual" {
    const { row } = line;
    const usage = row.has(SLOTS.usage) ? foundIn(row, USAGE_COUNTS, "openai") : undefined;
    if (usage === "unusual" || (row.has(SLOTS.usage) && !row.isObject(SLOTS.usage)))
      return "unusual";
    const at = asTime(row.text(SLOTS.timestamp));
    const model = texts.of(row, SLOTS.model);
    const frame = { id: uuid, author: "model", at, model, place: this.#placeOf(line) } as const;
    const message = emptyMessage(frame, "");
    message.usage = usage;
    if (this.#what !== "counts") {
      const content = partsOf(row.value(SLOTS.message));
      message.signature = signatureOf("model", content, joinTexts(content.texts));
    }
    return { kind: "message", message };
  }

  #eventOf(row: Row): RecordMeaning | "unusual" {
    const event = texts.of(row, SLOTS.event);
    if (event === "qwen-code.api_error") return failed(texts.of(row, SLOTS.eventModel));
    if (event !== "qwen-code.api_response") return LINK;
    const dialect = dialectOf(texts.of(row, SLOTS.authType));
    const counts = foundIn(row, EVENT_COUNTS, dialect);
    if (counts === "unusual" || !counts) return counts ?? LINK;
    const request: PaidRequest = { counts };
    const model = texts.of(row, SLOTS.eventModel);
    const promptId = row.text(SLOTS.promptId);
    const agentName = texts.of(row, SLOTS.subagentName);
    const agentId = texts.of(row, SLOTS.subagentId);
    if (model) request.model = model;
    if (promptId) request.promptId = promptId;
    if (agentName) request.agentName = agentName;
    if (agentId) request.agentId = agentId;
    if (losesWrites(dialect, texts.of(row, SLOTS.version))) request.isAtLeast = true;
    return { kind: "request", request };
  }

  #linkOf(line: JsonLine, uuid: string, saying: RecordMeaning): RecordHeader {
    const { row } = line;
    const place = saying === LINK ? this.#somewhere : this.#placeOf(line);
    const link: RecordHeader = { uuid, place };
    const parentUuid = this.#parentOf(row);
    const at = asTime(row.text(SLOTS.timestamp));
    if (parentUuid) link.parentUuid = parentUuid;
    if (at !== undefined) link.at = at;
    return link;
  }

  /** The parent is usually the previous record, whose id is already a string. */
  #parentOf(row: Row): string | undefined {
    const last = this.#lastUuid;
    const start = row.start(SLOTS.parentUuid) + 1;
    const length = row.end(SLOTS.parentUuid) - start - 1;
    if (length !== last.length || row.bytes[start - 1] !== 34) return row.text(SLOTS.parentUuid);
    for (let at = length - 1; at >= 0; at -= 1) {
      if (last.charCodeAt(at) !== row.bytes[start + at]) return row.text(SLOTS.parentUuid);
    }
    return last;
  }

  #aboutOf(row: Row): RecordFileFacts {
    const text = (slot: number): string | undefined => texts.of(row, slot) || undefined;
    return {
      sessionId: text(SLOTS.sessionId),
      forkedFrom: row.has(SLOTS.forkedFrom) ? text(SLOTS.forkedFrom) : undefined,
      agentId: row.has(SLOTS.agentId) ? text(SLOTS.agentId) : undefined,
      agentName: row.has(SLOTS.agentName) ? text(SLOTS.agentName) : undefined,
      branch: row.has(SLOTS.branch) ? text(SLOTS.branch) : undefined,
      directory: text(SLOTS.directory),
      version: text(SLOTS.version),
    };
  }

  #placeOf({ number, start, end }: JsonLine): Place {
    return { file: this.#source.path, line: number, start, end };
  }
}

function failed(model: string | undefined): RecordMeaning {
  return model ? { kind: "link", failedModel: model } : LINK;
}

/** Returns undefined if there are no counts, "unusual" if the plain reader has to check them. */
function foundIn(
  row: Row,
  slots: Readonly<Record<keyof CountNames, number>>,
  dialect: Dialect,
): Counts | "unusual" | undefined {
  const found: FoundCounts = {};
  let isAny = false;
  for (const field of COUNTS) {
    const slot = slots[field];
    if (!row.has(slot)) continue;
    const count = row.count(slot);
    if (!isCount(count)) {
      if (row.kind(slot) === "null") continue;
      return "unusual";
    }
    found[field] = count;
    isAny = true;
  }
  return isAny ? countsOf(found, dialect) : undefined;
}

const COUNTS = ["input", "cached", "output", "thoughts", "tool", "total"] as const;
