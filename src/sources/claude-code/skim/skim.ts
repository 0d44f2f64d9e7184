import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { JsonLine } from "../../../kernel/json/lines.ts";
import { walkLines } from "../../../kernel/json/lines.ts";
import type { Row } from "../../../kernel/json/row.ts";
import { RepeatedTexts } from "../../../kernel/json/row.ts";
import { jsonWalk } from "../../../kernel/json/walk.ts";
import { asTime } from "../../decoding/fields.ts";
import type { ReadOptions } from "../../source.ts";
import type { AnswerNode, Node, NodeBase, Transcript, UserNode } from "../content.ts";
import { nameAnswers } from "../formats/answer-ids.ts";
import { MAX_ID, TranscriptReader } from "../formats/transcript.ts";
import type { RecordedUsage } from "../formats/usage.ts";
import { tierNamed } from "../formats/usage.ts";
import {
  RECORD,
  TYPE,
  UUID,
  PARENT,
  SESSION,
  AGENT,
  SIDECHAIN,
  TIME,
  CWD,
  VERSION,
  BRANCH,
  FORKED,
  SUBTYPE,
  META,
  SUMMARY,
  STARTED,
  REQUEST,
  REQUESTED,
  COST,
  DURATION,
  ANSWER,
  MODEL,
  CONTENT,
  STOP,
  USAGE,
  TIER,
  SPEED,
  GEO,
  ITERATIONS,
  COUNTERS,
} from "./fields.ts";

/** Records outside the conversation that usage needs: few and short, so they are parsed. */
const ASIDES: ReadonlySet<string> = new Set([
  "summary",
  "custom-title",
  "ai-title",
  "last-prompt",
  "cost-state",
]);

/**
 * Reads only what usage needs: the chain of records and the cost of answers. Returns exactly what
 * `readTranscript` returns at depth "usage", except for roles of messages that usage ignores;
 * undefined if a line is damaged, so that the file is read the plain way.
 */
export function skimTranscript(bytes: ByteSource, options: ReadOptions): Transcript | undefined {
  const walk = options.until ? undefined : jsonWalk();
  if (!walk) return undefined;
  const skim = new Skim(bytes.path, options);
  const isWhole = walkLines(walk, { source: bytes, fields: RECORD }, (line) => skim.take(line));
  if (!isWhole) return undefined;
  nameAnswers(skim.transcript.nodes);
  return skim.transcript;
}

/** Marks an unusual line, which is parsed and read by the plain reader. */
const ODD = Symbol("odd");
const NULL_LENGTH = 4;
/** The prompt of a warm-up is one word. */
const WORD_BYTES = 64;
const TRUE = 116;

type Base = Omit<NodeBase, "place" | "forkedFrom">;

const NO_RESULTS: UserNode["results"] = [];

/** Values that most lines share. */
const texts = new RepeatedTexts();

class Skim {
  readonly #reader: TranscriptReader;
  readonly #path: string;
  #session: string | undefined;
  readonly #scratch: Base = {
    uuid: "",
    parent: undefined,
    agentId: undefined,
    isSidechain: false,
    at: undefined,
  };

  constructor(path: string, options: ReadOptions) {
    this.#path = path;
    this.#reader = new TranscriptReader(path, options);
  }

  get transcript(): Transcript {
    return this.#reader.transcript;
  }

  /** Returns false if the file has to be read the plain way. */
  take(line: JsonLine): boolean {
    if (line.state !== "json" || !line.isUtf8) return false;
    const { row } = line;
    const type = texts.of(row, TYPE);
    const place = { file: this.#path, line: line.number, start: line.start, end: line.end };
    const node = type === undefined ? ODD : this.#nodeOf(type, row, place);
    if (type === undefined || node === ODD) {
      this.#reader.record(JSON.parse(line.bytes.toString("utf8")) as unknown, place);
      this.#session = undefined;
      return true;
    }
    this.#note(type, row);
    if (node) this.transcript.nodes.push(node);
    return true;
  }

  #nodeOf(type: string, row: Row, place: Place): Node | undefined | typeof ODD {
    if (ASIDES.has(type) || row.has(FORKED)) return ODD;
    if (type === "queue-operation" && this.transcript.nodes.length === 0) return ODD;
    if (type === "assistant") return this.#answer(row, place);
    if (type === "user") return this.#user(row, place);
    if (type === "attachment") return this.#plain(row, place, "context");
    if (type === "system") {
      return row.text(SUBTYPE) === "compact_boundary" ? ODD : this.#plain(row, place, "note");
    }
    return row.has(UUID) ? this.#plain(row, place, "link") : undefined;
  }

  #plain(row: Row, place: Place, kind: "context" | "note" | "link"): Node | typeof ODD {
    const base = this.#base(row);
    if (!base) return ODD;
    const { uuid, parent, agentId, isSidechain, at } = base;
    return { place, uuid, parent, agentId, isSidechain, at, kind };
  }

  /** Leaves chain starts and texts of Claude Code itself to the plain reader. */
  #user(row: Row, place: Place): UserNode | typeof ODD {
    const base = this.#base(row);
    if (!base || base.parent === undefined) return ODD;
    if (isTrue(row, META) || isTrue(row, SUMMARY)) return ODD;
    const { uuid, parent, agentId, isSidechain, at } = base;
    if (isSidechain && row.end(CONTENT) - row.start(CONTENT) < WORD_BYTES) return ODD;
    if (isSidechain && this.#isForked()) return ODD;
    const node: UserNode = {
      place,
      uuid,
      parent,
      agentId,
      isSidechain,
      at,
      kind: "user",
      role: "injected",
      results: NO_RESULTS,
    };
    const agent = row.text(STARTED);
    if (agent !== undefined && agent !== "") node.agent = agent;
    return node;
  }

  /** Whether the file may begin with the conversation that its agent was forked from. */
  #isForked(): boolean {
    const [first] = this.transcript.nodes;
    return first === undefined || (first.isSidechain && first.parent !== undefined);
  }

  #answer(row: Row, place: Place): AnswerNode | typeof ODD {
    const base = this.#base(row);
    const answerId = row.text(ANSWER);
    const model = texts.of(row, MODEL);
    if (!base || !isId(answerId) || !model || model.startsWith("<")) return ODD;
    if (row.has(ITERATIONS) && hasInnerRequests(row)) return ODD;
    const usage = row.isObject(USAGE) ? usageOf(row) : undefined;
    if (usage === ODD) return ODD;
    const { uuid, parent, agentId, isSidechain, at } = base;
    const node: AnswerNode = {
      place,
      uuid,
      parent,
      agentId,
      isSidechain,
      at,
      kind: "answer",
      answerId,
      hasStop: hasText(row, STOP),
      hasRequest: hasText(row, REQUEST),
      isFree: row.has(COST) && row.value(COST) === 0 && row.value(DURATION) === 0,
      model,
      usage,
      tier: usage && this.#tierOf(row),
    };
    if (row.isText(STOP, "tool_use")) node.isCalling = true;
    const requested = row.has(REQUESTED) ? texts.of(row, REQUESTED) : undefined;
    if (requested && requested !== model) node.requestedModel = requested;
    return node;
  }

  #tierOf(row: Row): string | undefined {
    const [tier, speed] = [texts.of(row, TIER), texts.of(row, SPEED)];
    return tierNamed({ tier, speed, geo: texts.of(row, GEO) });
  }

  /** Fills one object that is reused for all lines; undefined for unusual lines. */
  #base(row: Row): Base | undefined {
    const uuid = row.text(UUID);
    // Nearly always the record before.
    const last = this.#scratch.uuid;
    const parent = row.isText(PARENT, last) ? last : row.text(PARENT);
    const agentId = row.has(AGENT) ? texts.of(row, AGENT) : undefined;
    const isChained = parent === undefined ? isNull(row, PARENT) : isId(parent);
    if (!isChained || !isId(uuid)) return undefined;
    if (row.has(AGENT) && !isId(agentId)) return undefined;
    const base = this.#scratch;
    base.uuid = uuid;
    base.parent = parent;
    base.agentId = agentId;
    base.isSidechain = isTrue(row, SIDECHAIN);
    base.at = asTime(row.text(TIME));
    return base;
  }

  #note(type: string, row: Row): void {
    const { transcript } = this;
    if (transcript.firstLineAt === undefined) {
      const at = asTime(row.text(TIME));
      if (at !== undefined) transcript.firstLineAt = at;
    }
    const sessionId = texts.of(row, SESSION);
    const isKnown = type !== "user" && transcript.versions.length > 0;
    if (isKnown && sessionId === this.#session) return;
    this.#session = sessionId;
    const cwd = texts.of(row, CWD);
    const version = texts.of(row, VERSION);
    const gitBranch = texts.of(row, BRANCH);
    this.#reader.note({ type, sessionId, cwd, version, gitBranch });
  }
}

function usageOf(row: Row): RecordedUsage | typeof ODD {
  const usage: RecordedUsage = {};
  for (const [counter, slot] of COUNTERS) {
    if (!row.has(slot)) continue;
    const count = row.count(slot);
    if (count !== undefined) usage[counter] = count;
    else if (!isNull(row, slot)) return ODD;
  }
  return usage;
}

/** Whether there is a step of another kind than `message`; nearly always there is one step. */
function hasInnerRequests(row: Row): boolean {
  const steps = row.bytes.toString("latin1", row.start(ITERATIONS), row.end(ITERATIONS));
  return /"type"\s*:\s*"(?!message")/.test(steps);
}

function isId(text: string | undefined): text is string {
  return text !== undefined && text !== "" && text.length <= MAX_ID;
}

function hasText(row: Row, slot: number): boolean {
  return row.kind(slot) === "text" && !row.isEmpty(slot);
}

/** Also true for a missing field. */
function isNull(row: Row, slot: number): boolean {
  if (!row.has(slot)) return true;
  return row.end(slot) - row.start(slot) === NULL_LENGTH && row.kind(slot) === "null";
}

function isTrue(row: Row, slot: number): boolean {
  return row.bytes[row.start(slot)] === TRUE && row.has(slot);
}
