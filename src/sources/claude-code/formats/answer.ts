import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../../decoding/fields.ts";
import type { ReadOptions } from "../../source.ts";
import type { Blocks } from "./blocks.ts";
import { readBlocks } from "./blocks.ts";
import { atDepth, notice, resultsAtDepth } from "./message.ts";
import type { AnswerNode, NodeBase, RecordContent } from "../content.ts";
import { readInnerRequests, readUsage, tierOf } from "./usage.ts";

const SYNTHETIC = "<synthetic>";
const MAX_ID = 300;

/** Reads an `assistant` record: one block of an answer (1.0.11+), or all blocks. */
export function readAnswer(record: Json, base: NodeBase, options: ReadOptions): AnswerNode {
  const message = asObject(record["message"]) ?? {};
  const model = asName(message["model"]);
  const usage = asObject(message["usage"]);
  const id = asName(message["id"]);
  const isSynthetic = model === SYNTHETIC;
  const node: AnswerNode = {
    kind: "answer",
    answerId: id === undefined || id.length > MAX_ID ? base.uuid : id,
    hasStop: asName(message["stop_reason"]) !== undefined,
    hasRequest: asName(record["requestId"]) !== undefined,
    isFree: record["costUSD"] === 0 && record["durationMs"] === 0,
    ...base,
  };
  if (message["stop_reason"] === "tool_use") node.isCalling = true;
  if (!isSynthetic && model !== undefined) node.model = model;
  const requested = asName(record["requestedModel"]);
  if (requested !== undefined && requested !== model) node.requestedModel = requested;
  if (!isSynthetic && usage) {
    node.usage = readUsage(usage, base.place, options.report);
    const inner = readInnerRequests(usage, base.place, options.report);
    if (inner.length > 0) node.inner = inner;
    const tier = tierOf(usage);
    if (tier !== undefined) node.tier = tier;
  }
  if (isSynthetic) {
    node.synthetic = "notice";
    if (isCutNotice(record, message["content"])) node.isCutNotice = true;
  }
  if (options.depth === "usage") return node;
  return withWords(node, record, { content: message["content"], options });
}

function withWords(
  node: AnswerNode,
  record: Json,
  { content, options }: { content: unknown; options: ReadOptions },
): AnswerNode {
  const blocks = readBlocks(content, { at: node.at, fallbackId: node.uuid });
  const text = blocks.texts.join("\n");
  if (node.synthetic) {
    const hasCalls = blocks.toolCalls.length > 0;
    node.synthetic = hasCalls ? "answer" : syntheticKind(record, text);
  }
  node.words = atDepth(wordsOf(node, text, blocks), node, options.depth);
  if (blocks.results.length > 0)
    node.results = resultsAtDepth(blocks.results, record, options.depth);
  return node;
}

function wordsOf({ synthetic, model }: AnswerNode, text: string, blocks: Blocks): RecordContent {
  if (synthetic === "error") return notice(text, { level: "error" });
  if (synthetic === "notice") return notice(text);
  const { form, thoughts, toolCalls, attachments } = blocks;
  return { author: "model", model, text, form, thoughts, toolCalls, attachments };
}

/** `API Error: Connection lost mid-response. The response above may be incomplete.` (2.1.187+) */
const CUT = /(?:The response above may be incomplete|response(?: was produced)?\. Try again)\.$/;

function isCutNotice(record: Json, content: unknown): boolean {
  if (record["isApiErrorMessage"] !== true) return false;
  return (asList(content) ?? []).some((block) => CUT.test(asText(asObject(block)?.["text"]) ?? ""));
}

const OWN_WORDS = /^No response requested\.$/;
const LIMITS = "Credit balance|Claude (?:AI|Code) usage limit|You've hit";
const OWN_ERRORS = new RegExp(`^(?:API Error|Prompt is too long|Invalid API key|${LIMITS})`);

/**
 * Classifies text that Claude Code wrote in place of the model: about errors, or to fill a gap.
 * 2.1.100 to 2.1.200 also record this way what the model had said before an interruption, and a
 * handover records answers of another model this way.
 */
function syntheticKind(record: Json, text: string): NonNullable<AnswerNode["synthetic"]> {
  if (record["isApiErrorMessage"] === true || OWN_ERRORS.test(text)) return "error";
  return OWN_WORDS.test(text.trim()) || text.trim() === "" ? "notice" : "answer";
}
