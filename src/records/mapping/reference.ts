import type { MessageForm, NativeNames } from "../../sources/native.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isObject, newObject } from "../json/value.ts";
import { isText } from "./fits.ts";

/**
 * Converts one recorded message as the draft's own scripts do, with all that they lose: notices
 * become text of the model, a call without a result has no status, and a recorded member replaces a
 * translated one of the same name.
 */
export function referenceEntry(message: JsonObject, form: MessageForm): JsonObject {
  const { names } = form;
  const own = names.message;
  const type = message[own.type];
  const isUser = type === undefined || (isText(type) && form.speakers.get(type) === "user");
  const usage = message[own.tokens];
  const entry = notNull({
    type: isUser ? "user" : "assistant",
    timestamp: message[own.timestamp],
    content: own.content in message ? message[own.content] : "",
    id: message[own.id],
    "model-id": isUser ? undefined : message[own.model],
  });
  if (!isUser && isObject(usage) && Object.keys(usage).length > 0) {
    entry["token-usage"] = usageOf(usage, names);
  }
  const children = isUser ? [] : childrenOf(message, names);
  if (children.length > 0) entry["children"] = children;
  const known = [own.type, own.timestamp, own.content, own.id, own.model, own.thoughts, own.calls];
  const consumed = isObject(usage) ? [...known, own.tokens] : known;
  return newObject({ ...entry, ...others(message, consumed) });
}

function usageOf(tokens: JsonObject, names: NativeNames): JsonObject {
  const usage = newObject();
  for (const [from, to] of names.otherCounts) {
    const count = tokens[from];
    if (count !== undefined) usage[to] = count;
  }
  return newObject({ ...usage, ...others(tokens, [...names.otherCounts.keys()]) });
}

function childrenOf(message: JsonObject, names: NativeNames): JsonObject[] {
  const { timestamp, thoughts, calls } = names.message;
  return [
    ...objectsOf(message[thoughts]).map((thought) => reasoningOf(thought, names)),
    ...objectsOf(message[calls]).flatMap((call) => callOf(call, message[timestamp], names)),
  ];
}

function reasoningOf(thought: JsonObject, names: NativeNames): JsonObject {
  const { content, subject } = names.thought;
  const entry = notNull({
    type: "reasoning",
    content: content in thought ? thought[content] : "",
    subject: thought[subject],
  });
  return newObject({ ...entry, ...others(thought, [content, subject]) });
}

function callOf(call: JsonObject, at: Json | undefined, names: NativeNames): JsonObject[] {
  const { id, name, input, result, status, timestamp } = names.call;
  const shared = {
    timestamp: timestamp in call ? call[timestamp] : at,
    "call-id": call[id],
  };
  const entry = notNull({
    type: "tool-call",
    ...shared,
    name: name in call ? call[name] : "unknown",
    input: input in call ? call[input] : newObject(),
  });
  const known = [timestamp, name, input, id, result, status];
  const asked = newObject({ ...entry, ...others(call, known) });
  const output = call[result];
  if (output === undefined || output === null) return [asked];
  return [asked, notNull({ type: "tool-result", ...shared, output, status: call[status] })];
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Members that were not converted; those without a value are dropped. */
function others(object: JsonObject, consumed: readonly string[]): JsonObject {
  const rest = newObject(object);
  for (const key of consumed) delete rest[key];
  return notNull(rest);
}

export function notNull(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const kept = Object.entries(members).filter(([, value]) => value !== null);
  return newObject(Object.fromEntries(kept));
}
