import type { Author, RecordedMessage } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import type { Content } from "../../decoding/content.ts";
import { joinTexts, readArgs, readContent, splitThought } from "../../decoding/content.ts";
import type { Json } from "../../decoding/fields.ts";
import { asObject } from "../../decoding/fields.ts";
import { effectsOf } from "../../decoding/tool-effects.ts";
import { describeTool } from "../tools.ts";
import type { HookForm, UserText } from "./user-text.ts";
import { readUserString, readUserText } from "./user-text.ts";

/** Fields of every message, before its content is read. */
export interface Frame {
  id: string;
  author: Author;
  at?: string | undefined;
  model?: string | undefined;
  place: Place;
  hooks?: HookForm;
}

/** The meaning of a user message. */
export type UserKind = "prompt" | "task" | "notification" | "automatic" | "result";

/** `{"role": "model", "parts": [{"text": "…"}, {"functionCall": {…}}]}`: one form for all APIs. */
export function partsOf(message: unknown): Content {
  return readContent(asObject(message)?.["parts"] ?? []);
}

export function modelMessage(frame: Frame, content: Content): RecordedMessage {
  const text = joinTexts(content.texts);
  const toolCalls = content.calls.map((call, index) => callOf(call, `${frame.id}#${index}`));
  return {
    ...emptyMessage(frame, text),
    thoughts: content.thoughts.map(splitThought),
    toolCalls,
    hasRecordedCalls: toolCalls.length > 0,
    attachments: content.attachments,
    signature: signatureOf(frame.author, content, text),
  };
}

export function userMessage(
  frame: Frame,
  content: Content,
  by: UserMessageOptions,
): RecordedMessage {
  const text = joinTexts(content.texts);
  const userText = by.userText ?? readUserText(content.texts, frame.hooks);
  const message: RecordedMessage = {
    ...emptyMessage(frame, text),
    references: userText.references,
    injections: injectionsOf(by.kind, userText, text),
    results: content.results,
    attachments: content.attachments,
    signature: signatureOf(frame.author, content, userText.typed === "" ? text : userText.typed),
  };
  if (by.kind !== "prompt") return message;
  const typed = displayed(by.displayText) ?? userText.typed;
  const isImage = content.attachments.length > 0 && userText.injections.length === 0;
  message.isPrompt = typed !== "" || isImage;
  if (typed !== "") message.typed = typed;
  return message;
}

export interface UserMessageOptions {
  kind: UserKind;
  /** The text shown to the user as typed, if it is recorded separately. */
  displayText?: string | undefined;
  userText?: UserText;
}

/** What is shown as typed may still have the files after it, in one text (0.21). */
function displayed(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readUserString(text).typed;
}

export function noticeMessage(
  frame: Frame,
  text: string,
  level: NonNullable<RecordedMessage["level"]>,
): RecordedMessage {
  return { ...emptyMessage({ ...frame, author: "notice" }, text), level };
}

function injectionsOf(
  kind: UserKind,
  userText: UserText,
  text: string,
): RecordedMessage["injections"] {
  switch (kind) {
    case "prompt":
      return userText.injections;
    case "task":
      return [{ kind: "delegation", text }];
    case "notification":
      return [{ kind: "task-notification", text }];
    case "automatic":
      return [{ kind: "other", text }];
    case "result":
      return [{ kind: "tool-response", text: "" }];
    default:
      return kind satisfies never;
  }
}

/** The only constructor, so that messages have few hidden classes. */
export function emptyMessage(
  { id, author, at, model, place }: Frame,
  text: string,
): RecordedMessage {
  return {
    id,
    author,
    at,
    model,
    text,
    isPrompt: false,
    references: [],
    injections: [],
    thoughts: [],
    toolCalls: [],
    results: [],
    attachments: [],
    usage: undefined,
    hasRecordedCalls: false,
    form: "parts",
    signature: "",
    partSignatures: [],
    place,
  };
}

/** Gemini's API gives calls no ids; they get one that matches no result. */
export function callOf({ id, name, args }: Content["calls"][number], fallbackId: string): ToolCall {
  const given = readArgs(args);
  const call: ToolCall = { id: id ?? fallbackId, name, ...describeTool(name), args: given };
  const { shellLine, files } = effectsOf(call.label, given, undefined);
  if (shellLine !== undefined) call.shellLine = shellLine;
  if (files !== undefined) call.files = files;
  return call;
}

/** Copies of a message have the same calls or results or, without those, the same text. */
export function signatureOf(author: Author, content: Content, words: string): string {
  const ids = [
    ...content.calls.map(({ id, name }) => id ?? name),
    ...content.results.map(({ callId, name }) => callId ?? name ?? ""),
  ];
  if (ids.length > 0) return [author, ...ids].join(",");
  const text = words.trim();
  // Enough to identify it within one session, without hashing every text.
  return [author, text.length, text.slice(0, 40), text.slice(-40)].join(":");
}

/** Reads an element of a compressed history, which has no record of its own. */
export function historyMessage(recorded: unknown, frame: Omit<Frame, "author">): RecordedMessage {
  const content: Json = asObject(recorded) ?? {};
  const parts = partsOf(content);
  if (content["role"] === "model") return modelMessage({ ...frame, author: "model" }, parts);
  const userText = readUserText(parts.texts, frame.hooks);
  const kind = parts.results.length > 0 ? "result" : "automatic";
  const message = userMessage({ ...frame, author: "user" }, parts, { kind, userText });
  if (userText.injections.length > 0) message.injections = userText.injections;
  return message;
}
