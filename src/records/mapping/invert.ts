import type { MessageForm, NativeForm, NativeNames } from "../../sources/native.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isObject, newObject } from "../json/value.ts";
import { invertLine } from "./line-entry.ts";
import { keepRest } from "./lossless.ts";

/** Reconstructs the recorded message of an entry, as far as possible; edits correct the rest. */
export function invertEntry(entry: JsonObject, form: NativeForm): JsonObject {
  return form.kind === "lines" ? invertLine(entry, form) : invertMessage(entry, form);
}

function invertMessage(entry: JsonObject, { names }: MessageForm): JsonObject {
  if (entry["type"] === "system-event") return invertEvent(entry, names);
  const { message: own } = names;
  const speaker = entry["type"] === "assistant" ? "assistant" : "user";
  const message = newObject({
    [own.type]: names.types[speaker],
    [own.id]: entry["id"],
    [own.timestamp]: entry["timestamp"],
    [own.content]: entry["content"],
    [own.model]: entry["model-id"],
  });
  const usage = entry["token-usage"];
  if (isObject(usage)) message[own.tokens] = invertUsage(usage, names);
  const children = Array.isArray(entry["children"]) ? entry["children"].filter(isObject) : [];
  const thoughts = children.filter(({ type }) => type === "reasoning");
  if (thoughts.length > 0) {
    message[own.thoughts] = thoughts.map((thought) => invertThought(thought, names));
  }
  const calls = invertCalls(children, names);
  if (calls.length > 0) message[own.calls] = calls;
  return keepRest(message, entry);
}

function invertEvent(entry: JsonObject, names: NativeNames): JsonObject {
  const { id, timestamp, type } = names.message;
  const data = isObject(entry["data"]) ? entry["data"] : newObject();
  return newObject({
    ...data,
    [type]: entry["event-type"],
    ...(entry["id"] === undefined ? {} : { [id]: entry["id"] }),
    ...(entry["timestamp"] === undefined ? {} : { [timestamp]: entry["timestamp"] }),
  });
}

function invertUsage(usage: JsonObject, names: NativeNames): JsonObject {
  const back = new Map([...names.counts].map(([from, to]) => [to, from]));
  const pairs = Object.entries(usage).map(([key, value]) => [back.get(key) ?? key, value] as const);
  return newObject(Object.fromEntries(pairs));
}

function invertThought(thought: JsonObject, names: NativeNames): JsonObject {
  const { content, subject, timestamp } = names.thought;
  const known = newObject({
    [content]: thought["content"],
    [subject]: thought["subject"],
    [timestamp]: thought["timestamp"],
  });
  return keepRest(known, thought);
}

/** A result belongs to the preceding call. */
function invertCalls(children: readonly JsonObject[], names: NativeNames): Json[] {
  return children.flatMap((child, index) => {
    if (child["type"] !== "tool-call") return [];
    const next = children[index + 1];
    const result = next?.["type"] === "tool-result" ? next : undefined;
    const call = newObject({
      [names.call.id]: child["call-id"],
      [names.call.name]: child["name"],
      [names.call.input]: child["input"],
      [names.call.result]: result?.["output"],
      [names.call.status]: result ? result["status"] : child["status"],
      [names.call.timestamp]: child["timestamp"],
    });
    return [keepRest(call, child)];
  });
}
