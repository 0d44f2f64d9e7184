import type { Author, RecordedMessage } from "../../../core/message.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject, asText } from "../../decoding/fields.ts";
import { lighten } from "../../decoding/outline.ts";
import type { Depth } from "../../source.ts";
import type { Blocks } from "./blocks.ts";
import { readBlocks } from "./blocks.ts";
import type { NodeBase, UserNode } from "./record.ts";
import { readResults } from "./results.ts";
import { readUserText } from "./user-text.ts";

/** So much an outline holds of what was said: titles are shorter, and tasks of agents are known. */
const SAID_LENGTH = 400;

/** A message without anything in it, to be filled. */
export function emptyMessage(base: NodeBase, author: Author): RecordedMessage {
  return {
    id: base.uuid,
    ...(base.parent === undefined ? {} : { parentId: base.parent }),
    author,
    at: base.at,
    text: "",
    isPrompt: false,
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: [],
    results: [],
    attachments: [],
    hasRecordedCalls: true,
    form: "text",
    signature: base.uuid,
    partSignatures: [],
    place: base.place,
  };
}

export function notice(
  base: NodeBase,
  text: string,
  more: Pick<RecordedMessage, "level" | "signal">,
): RecordedMessage {
  return { ...emptyMessage(base, "notice"), level: "info", ...more, text };
}

/** What is kept of a message at a depth. */
export function atDepth(message: RecordedMessage, depth: Depth): RecordedMessage {
  if (depth === "full") return message;
  const light = lighten(message, () => SAID_LENGTH);
  for (const attachment of light.attachments) delete attachment.data;
  return light;
}

/** A record of type `user`: its flags and its text tell what it is. */
export function readUser(record: Json, base: NodeBase, depth: Depth): UserNode {
  const content = asObject(record["message"])?.["content"];
  const blocks = readBlocks(content, { at: base.at, fallbackId: base.uuid });
  const isResult = blocks.results.length > 0;
  const read = readUserText(blocks.texts, record);
  const node: UserNode = {
    ...base,
    kind: "user",
    role: isResult ? "results" : read.role,
    results: [],
    ...(read.isCutNotice ? { isCutNotice: true } : {}),
  };
  const agent = asName(asObject(record["toolUseResult"])?.["agentId"]);
  if (agent !== undefined) node.agent = agent;
  if (depth === "usage") return node;
  node.results = readResults(blocks.results, record);
  if (read.command !== undefined) node.command = read.command;
  if (read.notification) node.notification = read.notification;
  node.message = atDepth(userMessage(base, blocks, { ...read, role: node.role }), depth);
  // The words stand in the message, too, and only once in memory.
  if (depth === "outline") node.results = node.results.map((result) => outlineResult(result));
  return node;
}

type ReadUser = ReturnType<typeof readUserText>;

function userMessage(base: NodeBase, blocks: Blocks, read: ReadUser): RecordedMessage {
  const text = blocks.texts.join("\n");
  if (read.role === "interruption") return notice(base, text, { signal: "cancellation" });
  const message = emptyMessage(base, "user");
  message.text = text;
  message.form = blocks.form;
  message.attachments = blocks.attachments;
  message.injections = read.injections;
  if (read.role !== "prompt") {
    if (read.role === "results") message.injections = resultInjections(blocks);
    return message;
  }
  message.isPrompt = true;
  message.typed = read.typed ?? "";
  return message;
}

/** Text beside results was added by the program. */
function resultInjections({ texts }: Blocks): RecordedMessage["injections"] {
  return texts.map((text) => ({ kind: "reminder" as const, text }));
}

const OUTLINE_OUTPUT = 160;

function outlineResult(result: UserNode["results"][number]): UserNode["results"][number] {
  const { display: _shown, ...rest } = result;
  return { ...rest, output: brief(rest.output) };
}

/** A string of its own: a slice would keep the whole text in memory. */
function brief(text: string): string {
  if (text.length <= OUTLINE_OUTPUT) return text;
  return Buffer.from(text.slice(0, OUTLINE_OUTPUT), "utf16le").toString("utf16le");
}

/** The words of a `system` record, where it has any. */
export function noteText(record: Json): string | undefined {
  const text = asName(record["content"]);
  if (text !== undefined) return text;
  const error = asObject(record["error"]);
  return asName(error?.["formatted"]) ?? asName(error?.["message"]) ?? asText(record["text"]);
}
