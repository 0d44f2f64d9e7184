import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText, asTime } from "../../decoding/fields.ts";
import type { RecordGrammar } from "../../decoding/glued.ts";
import { readJsonLines } from "../../decoding/json-lines.ts";
import type { Report } from "../../source.ts";
import type { Entry, RecordHeader, RecordMeaning } from "../content.ts";
import { METADATA, readCounts } from "./usage.ts";
import type { RecordFileFacts } from "./facts.ts";
import { fileFactsOf, isBefore } from "./facts.ts";
import type { Frame, UserKind } from "./message.ts";
import { historyMessage, modelMessage, noticeMessage, partsOf, userMessage } from "./message.ts";
import { readEvent } from "./telemetry.ts";
import { readCallResult } from "./tool-result.ts";

/** Receives the records of a file, each with its facts about the file. */
export interface EntrySink {
  entry(entry: Entry, about: RecordFileFacts): void;
  report: Report;
}

/**
 * Reads files of 0.4 and later: one record per line, each with the previous one as its parent.
 *
 *     {"uuid":"u1","parentUuid":null,"sessionId":"S","timestamp":"T","type":"user","cwd":"/p",
 *      "version":"0.24.4","message":{"role":"user","parts":[{"text":"read a.txt"}]}}
 *     {"uuid":"s1","parentUuid":"u1",…,"type":"system","subtype":"ui_telemetry",…}
 *     {"uuid":"a1","parentUuid":"s1",…,"type":"assistant","model":"M","message":{…}}
 */
export function readRecords(source: ByteSource, sink: EntrySink): void {
  readJsonLines(source, GRAMMAR, {
    record: (value, place) => readRecord(value, place, sink),
    report: sink.report,
  });
}

export const GRAMMAR: RecordGrammar = {
  opening: /\{\s*"(?:uuid|parentUuid|sessionId)"\s*:/g,
  isRecord(value) {
    const record = asObject(value);
    return asName(record?.["uuid"]) !== undefined && asName(record?.["type"]) !== undefined;
  },
};

export function readRecord(value: unknown, place: Place, sink: EntrySink): void {
  const record = asObject(value);
  const uuid = asName(record?.["uuid"]);
  if (!record || uuid === undefined) return reportUnknown(record, place, sink.report);
  const link: RecordHeader = { uuid, place };
  const parentUuid = asName(record["parentUuid"]);
  const at = asTime(record["timestamp"]);
  if (parentUuid !== undefined) link.parentUuid = parentUuid;
  if (at !== undefined) link.at = at;
  const saying = readSaying(record, link, sink.report);
  const original = asObject(record["forkedFrom"]);
  if (original && (saying.kind === "message" || saying.kind === "tool-event")) {
    saying.copyOf = asName(original["messageUuid"]) ?? uuid;
  }
  sink.entry({ ...link, ...saying }, fileFactsOf(record));
}

function reportUnknown(record: Json | undefined, place: Place, report: Report): void {
  const keys = Object.keys(record ?? {}).slice(0, 5);
  const named = keys.map((key) => JSON.stringify(key.slice(0, 40))).join(", ");
  const message = `A record of an unknown kind (${named || "not an object"}).`;
  report(diagnosticAt(place, { code: "unknown-entry", severity: "notice", message }));
}

/** From this minor version on, the text of a hook has an opening of its own. */
const HOOKS_MARKED_SINCE = 21;

function readSaying(record: Json, link: RecordHeader, report: Report): RecordMeaning {
  const frame: Omit<Frame, "author"> = { id: link.uuid, at: link.at, place: link.place };
  if (isBefore(asName(record["version"]), HOOKS_MARKED_SINCE)) frame.hooks = "unmarked";
  if (record["subtype"] === SPOKEN) return readSpoken(record, frame);
  switch (record["type"]) {
    case "user":
      return readUser(record, frame);
    case "assistant":
      return readAssistant(record, frame, report);
    case "tool_result":
      return readResult(record, frame);
    case "system":
      return readSystem(record, frame, report);
    default: {
      const type = JSON.stringify(String(record["type"]).slice(0, 40));
      const message = `A record of the unknown type ${type}.`;
      report(diagnosticAt(link.place, { code: "bad-message", severity: "notice", message }));
      return { kind: "link" };
    }
  }
}

/** Never the last record of the chain. */
export const ARTIFACT: RegExp = /^(?:session_artifact_|session_sources_snapshot$|managed_session_)/;
/** Spoken outside the conversation, by both sides: it is not sent to the model with the history. */
export const SPOKEN = "realtime_message";

function readSpoken(record: Json, frame: Omit<Frame, "author">): RecordMeaning {
  const text = displayTextOf(record) ?? partsOf(record["message"]).texts.join("\n");
  return { kind: "message", message: noticeMessage({ ...frame, author: "notice" }, text, "info") };
}

function displayTextOf(record: Json): string | undefined {
  return asName(asObject(record["systemPayload"])?.["displayText"]);
}

/** User records that were not typed, by subtype. */
const NOT_TYPED: ReadonlyMap<string, UserKind> = new Map([
  ["notification", "notification"],
  ["cron", "automatic"],
  ["goal_runtime", "automatic"],
]);

function readUser(record: Json, frame: Omit<Frame, "author">): RecordMeaning {
  const content = partsOf(record["message"]);
  const subtype = asName(record["subtype"]) ?? "";
  const displayText = displayTextOf(record);
  const own: Frame = { ...frame, author: "user" };
  const isTask = record["isSidechain"] === true;
  const kind = isTask ? "task" : (NOT_TYPED.get(subtype) ?? "prompt");
  return { kind: "message", message: userMessage(own, content, { kind, displayText }) };
}

function readAssistant(record: Json, frame: Omit<Frame, "author">, report: Report): RecordMeaning {
  const model = asName(record["model"]);
  const message = modelMessage({ ...frame, author: "model", model }, partsOf(record["message"]));
  message.usage = readCounts(record["usageMetadata"], METADATA, { place: frame.place, report });
  return { kind: "message", message };
}

function readResult(record: Json, frame: Omit<Frame, "author">): RecordMeaning {
  const content = partsOf(record["message"]);
  const result = readCallResult(record["toolCallResult"], content);
  // The outcome follows the exit code, not the text that the model got.
  const [response] = content.results;
  if (response && result.outcome !== undefined) response.outcome = result.outcome;
  const message = userMessage({ ...frame, author: "user" }, content, { kind: "result" });
  return { kind: "message", message, result };
}

function readSystem(record: Json, frame: Omit<Frame, "author">, report: Report): RecordMeaning {
  const payload: Json = asObject(record["systemPayload"]) ?? {};
  const subtype = asName(record["subtype"]) ?? "";
  switch (subtype) {
    case "ui_telemetry":
      return readEvent(record, frame, report);
    case "chat_compression":
      return readCompression(payload, frame);
    case "custom_title": {
      const title = asName(payload["customTitle"]);
      return title === undefined ? { kind: "link" } : { kind: "title", title };
    }
    case "rewind":
      return { kind: "rewind" };
    case "slash_command":
      return readCommand(payload, frame);
    default:
      // File snapshots, attributions, and types of later versions.
      return ARTIFACT.test(subtype) ? { kind: "link", isArtifact: true } : { kind: "link" };
  }
}

/** From here on the model's context is this history and what follows. */
function readCompression(payload: Json, frame: Omit<Frame, "author">): RecordMeaning {
  const listed = asList(payload["compressedHistory"]);
  if (!listed) return { kind: "link" };
  const history = listed.map((item, index) => {
    return historyMessage(item, { ...frame, id: `${frame.id}:${index}` });
  });
  const [summary, thanks] = history;
  // Qwen Code writes an acknowledgement of the summary in the model's name.
  if (summary && thanks?.author === "model" && thanks.toolCalls.length === 0) {
    const isSummary = summary.injections.some(({ kind }) => kind === "compression-summary");
    if (isSummary) history[1] = noticeMessage(thanks, thanks.text, "info");
  }
  return { kind: "compression", history };
}

function readCommand(payload: Json, frame: Omit<Frame, "author">): RecordMeaning {
  const text = payload["phase"] === "result" ? printed(payload) : asName(payload["rawCommand"]);
  if (text === undefined || text.trim() === "") return { kind: "link" };
  const message = noticeMessage({ ...frame, author: "notice" }, text, "info");
  return { kind: "message", message, ...(payload["sentToModel"] === true ? { isSent: true } : {}) };
}

/** Returns the text that a command printed. */
function printed(payload: Json): string {
  const items = asList(payload["outputHistoryItems"]) ?? [];
  return items.flatMap((item) => asText(asObject(item)?.["text"]) ?? []).join("\n");
}
