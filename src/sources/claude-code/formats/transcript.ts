import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import { instantOf } from "../../../core/instant.ts";
import { optional } from "../../../core/optional.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText, asTime } from "../../decoding/fields.ts";
import type { RecordGrammar } from "../../decoding/glued.ts";
import { readJsonLines } from "../../decoding/json-lines.ts";
import type { ReadOptions, Report, WrittenBy } from "../../source.ts";
import { readAnswer } from "./answer.ts";
import { nameAnswers } from "./answer-ids.ts";
import { readContext } from "./context.ts";
import { atDepth, noteText, notice, readUser } from "./message.ts";
import type { Boundary, Node, NodeBase, NoteNode, Transcript } from "../content.ts";
import { newTranscript } from "../content.ts";
import { ProcessStarts } from "./process-starts.ts";
import { readTotals } from "./usage.ts";

/**
 * One record per line, appended:
 *
 *     {"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{…},"timestamp":"…"}
 *     {"type":"assistant","uuid":"u2","parentUuid":"u1","message":{"id":"msg_1",…},…}
 */
export function readTranscript(bytes: ByteSource, options: ReadOptions): Transcript {
  const reader = new TranscriptReader(bytes.path, options);
  readJsonLines(bytes, GRAMMAR, {
    record: (value, place) => reader.record(value, place),
    report: options.report,
  });
  nameAnswers(reader.transcript.nodes);
  return reader.transcript;
}

export const GRAMMAR: RecordGrammar = {
  opening: /\{\s*"(?:type|parentUuid|uuid|sessionId|timestamp|isSidechain|logicalParentUuid)"\s*:/g,
  isRecord(value) {
    const record: Json = asObject(value) ?? {};
    // Blocks inside a record have a type too, but no session.
    const isNamed = "sessionId" in record || "uuid" in record || "leafUuid" in record;
    return asName(record["type"]) !== undefined && isNamed;
  },
};

export const MAX_ID = 300;

/** Decodes the records of one file, in file order. */
export class TranscriptReader {
  readonly transcript: Transcript = newTranscript();
  readonly #file: string;
  readonly #options: ReadOptions;
  readonly #strings = new Map<string, string>();
  readonly #seen = { cwds: new Set<string>(), versions: new Set<string>() };
  readonly #starts = new ProcessStarts();
  #isOver = false;

  constructor(file: string, options: ReadOptions) {
    this.#file = file;
    this.#options = options;
  }

  record(value: unknown, { line, start, end }: Place): void {
    // All places of the file share one path string.
    const place = { file: this.#file, line, start, end };
    const record = asObject(value);
    if (!record) return unknown(place, this.#options.report);
    const at = asTime(record["timestamp"]);
    this.#isOver ||= !isWritten(place, at, this.#options.until);
    if (this.#isOver) return;
    if (at !== undefined) this.transcript.firstLineAt ??= at;
    this.note(record);
    this.#read(asText(record["type"]) ?? "", record, place);
  }

  #read(type: string, record: Json, place: Place): void {
    if (type === "user" || type === "assistant" || type === "system" || type === "attachment") {
      const node = this.#node(type, record, this.#base(record, place));
      this.transcript.nodes.push(node);
      if (this.#options.depth !== "usage") this.#starts.note(node, record);
      return;
    }
    if (this.#aside(type, record, place)) return;
    if (type === "") return unknown(place, this.#options.report);
    // Other records with an id are links in the chain; their content is not used.
    if (asName(record["uuid"]) === undefined) return;
    this.transcript.nodes.push({ kind: "link", ...this.#base(record, place) });
  }

  #node(type: "user" | "assistant" | "system" | "attachment", record: Json, base: NodeBase): Node {
    switch (type) {
      case "user":
        return readUser(record, base, this.#options.depth);
      case "assistant":
        return readAnswer(record, base, this.#options);
      case "system":
        return readNote(record, base, this.#options);
      case "attachment":
        return readContext(record, base, this.#options.depth);
      default:
        return type satisfies never;
    }
  }

  #base(record: Json, place: Place): NodeBase {
    const forkedFrom = asObject(record["forkedFrom"])?.["sessionId"];
    return {
      place,
      uuid: this.#id(record["uuid"], place) ?? `line-${place.line}-${place.start}`,
      parent: this.#parent(record["parentUuid"], place),
      agentId: this.#same(this.#id(record["agentId"], place)),
      isSidechain: record["isSidechain"] === true,
      at: asTime(record["timestamp"]),
      forkedFrom: this.#same(this.#id(forkedFrom, place)),
    };
  }

  /** The parent is usually the previous record: share its string. */
  #parent(value: unknown, place: Place): string | undefined {
    const before = this.transcript.nodes.at(-1)?.uuid;
    return value === before ? before : this.#id(value, place);
  }

  /** Ids are short; longer texts are not used as ids. */
  #id(value: unknown, place: Place): string | undefined {
    const id = asName(value);
    if (id === undefined || id.length <= MAX_ID) return id;
    const message = `An id of ${id.length} characters is too long and was ignored.`;
    const what = { code: "bad-message", severity: "notice", message } as const;
    this.#options.report(diagnosticAt(place, what));
    return undefined;
  }

  /** Records repeat a few ids: share one string for each. */
  #same(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, text);
    return text;
  }

  /**
   * Collects session ids, directories, versions and the branch. Directories and versions change
   * only with user records, so others are skipped.
   */
  note(record: Json): void {
    const { transcript } = this;
    const id = asName(record["sessionId"]);
    if (id !== undefined && id.length <= MAX_ID && transcript.sessionIds.at(-1) !== id) {
      transcript.sessionIds = [...transcript.sessionIds.filter((known) => known !== id), id];
    }
    if (record["type"] !== "user" && transcript.versions.length > 0) return;
    addOnce(transcript.cwds, this.#seen.cwds, record["cwd"]);
    addOnce(transcript.versions, this.#seen.versions, record["version"]);
    const branch = asName(record["gitBranch"]);
    if (branch !== undefined && branch !== "HEAD") transcript.branch = branch;
  }

  /** Reads records outside the conversation. Returns false if the record is not one of them. */
  #aside(type: string, record: Json, place: Place): boolean {
    const { transcript } = this;
    const session = this.#same(this.#id(record["sessionId"], place));
    const sessionId = session === undefined ? {} : { sessionId: session };
    const after = transcript.nodes.length;
    if (type === "summary") {
      const text = asName(record["summary"]);
      const leaf = asName(record["leafUuid"]);
      if (text !== undefined && leaf !== undefined)
        transcript.titles.push({ kind: type, text, leaf });
    } else if (type === "custom-title") {
      this.#title("custom", record["customTitle"], session);
    } else if (type === "ai-title") {
      this.#title("generated", record["aiTitle"] ?? record["title"], session);
    } else if (type === "queue-operation") {
      this.#starts.queue(record["operation"], after);
      const text = asName(record["content"]);
      const at = asTime(record["timestamp"]);
      // For usage they matter only if nothing else shows that there was a session.
      const isNeeded = this.#options.depth !== "usage" || after === 0;
      if (text !== undefined && record["operation"] === "enqueue" && isNeeded) {
        transcript.queued.push({ text, place, after, ...sessionId, ...(at && { at }) });
      } else if (record["operation"] === "popAll") {
        // Taken back into the input, to be changed.
        const taken = transcript.queued.findLastIndex((line) => line.text === text);
        if (taken !== -1) transcript.queued.splice(taken, 1);
      }
    } else if (type === "last-prompt") {
      const uuid = asName(record["leafUuid"]);
      if (uuid !== undefined && record["explicit"] === true) {
        transcript.leaves.push({ uuid, after, ...sessionId });
      }
    } else if (type === "cost-state") {
      transcript.costStates.push({ ...sessionId, after, models: readModels(record["modelUsage"]) });
    } else return false;
    return true;
  }

  #title(kind: "custom" | "generated", value: unknown, sessionId: string | undefined): void {
    const text = asName(value);
    if (text === undefined) return;
    this.transcript.titles.push({ kind, text, ...(sessionId === undefined ? {} : { sessionId }) });
  }
}

function addOnce(list: string[], seen: Set<string>, value: unknown): void {
  const text = asName(value);
  if (text === undefined || text.length > 4096 || seen.has(text)) return;
  seen.add(text);
  list.push(text);
}

/** Whether a line had been written by the given time. Lines are appended, so none after it had. */
function isWritten(place: Place, at: string | undefined, until: WrittenBy | undefined): boolean {
  if (!until || place.end <= until.sureBytes || at === undefined) return true;
  return instantOf(at) <= until.atMs;
}

function unknown(place: Place, report: Report): void {
  const message = "A record of an unknown kind.";
  report(diagnosticAt(place, { code: "unknown-entry", severity: "notice", message }));
}

/** `{"claude-opus-5-5": {"inputTokens": 1017, …, "costUSD": 0.02}}` */
function readModels(value: unknown): Transcript["costStates"][number]["models"] {
  return Object.entries(asObject(value) ?? {}).flatMap(([model, recorded]) => {
    const totals = asObject(recorded);
    if (!totals) return [];
    const cost = totals["costUSD"];
    const costUsd = typeof cost === "number" && Number.isFinite(cost) ? { costUsd: cost } : {};
    return [{ model, usage: readTotals(totals), ...costUsd }];
  });
}

const LEVELS: ReadonlyMap<string, "warning" | "error"> = new Map([
  ["warning", "warning"],
  ["error", "error"],
]);

/** `"compactMetadata": {"preservedMessages": {"uuids": ["…"]}, "preservedSegment": {…}}` */
function readBoundary(record: Json): Boundary {
  const metadata = asObject(record["compactMetadata"]);
  const kept = asObject(metadata?.["preservedMessages"]);
  const segment = asObject(metadata?.["preservedSegment"]);
  const [head, tail] = [asName(segment?.["headUuid"]), asName(segment?.["tailUuid"])];
  return {
    preserved: (asList(kept?.["uuids"]) ?? []).flatMap((uuid) => asName(uuid) ?? []),
    ...optional("logicalParent", asName(record["logicalParentUuid"])),
    ...(head === undefined || tail === undefined ? {} : { segment: { head, tail } }),
  };
}

/** `UserPromptSubmit operation blocked by hook:\nno cats\n\nOriginal prompt: add a cat` (2.0+) */
const BLOCKED = /^UserPromptSubmit operation blocked by hook:[^]*?\n\nOriginal prompt: ([^]+)$/;

/** `{"type": "system", "subtype": "compact_boundary", "logicalParentUuid": "…", …}` */
function readNote(record: Json, base: NodeBase, { depth }: ReadOptions): NoteNode {
  const node: NoteNode = { kind: "note", ...base };
  const isBoundary = record["subtype"] === "compact_boundary";
  if (isBoundary) {
    node.boundary = readBoundary(record);
  }
  const text = depth === "usage" ? undefined : noteText(record);
  if (text === undefined) return node;
  const level = LEVELS.get(asText(record["level"]) ?? "") ?? "info";
  const signal = isBoundary ? ({ signal: "compression" } as const) : {};
  node.words = atDepth(notice(text, { level, ...signal }), base, depth);
  const typed = BLOCKED.exec(text)?.[1];
  if (typed !== undefined) {
    node.blocked = atDepth({ author: "user", text: typed, typed, isPrompt: true }, base, depth);
  }
  return node;
}
