import type { MessageForm, NativeNames } from "../../sources/native.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isObject, newObject } from "../json/value.ts";
import { isCount, isInstant, isText } from "./fits.ts";
import { ENTRY_MEMBERS } from "./members.ts";

/**
 * Converts one recorded message to an entry. A member for which records have a field goes there if
 * its value is valid; other members keep their own name. Whatever can do neither is restored by the
 * edits beside the record (see `../native/acts.ts`), so the message can always be recovered.
 */
export function losslessEntry(message: JsonObject, form: MessageForm): JsonObject {
  const { names } = form;
  const type = message[names.message.type];
  const speaker = type === undefined ? "user" : form.speakers.get(isText(type) ? type : "");
  return speaker ? messageEntry(message, speaker, names) : eventOf(message, names);
}

function messageEntry(message: JsonObject, speaker: string, names: NativeNames): JsonObject {
  const { id, timestamp, type, content, model, tokens, thoughts, calls } = names.message;
  const entry = newObject({ type: speaker });
  const rest = newObject(message);
  delete rest[type];
  move(rest, id, { to: entry, as: "id", when: isText });
  move(rest, timestamp, { to: entry, as: "timestamp", when: isInstant });
  move(rest, content, { to: entry, as: "content", when: () => true });
  move(rest, model, { to: entry, as: "model-id", when: isText });
  if (isObject(rest[tokens])) {
    entry["token-usage"] = usageOf(rest[tokens], names);
    delete rest[tokens];
  }
  const children = [
    ...takeList(rest, thoughts).map((thought) => reasoningOf(thought, names)),
    ...takeList(rest, calls).flatMap((call) => callOf(call, entry["timestamp"], names)),
  ];
  if (children.length > 0) entry["children"] = children;
  return keepRest(entry, rest);
}

/** Notices, and unknown messages of newer versions: everything goes into the event's data. */
function eventOf(message: JsonObject, names: NativeNames): JsonObject {
  const { id, timestamp, type } = names.message;
  const entry = newObject({ type: "system-event" });
  const rest = newObject(message);
  move(rest, type, { to: entry, as: "event-type", when: isText });
  entry["event-type"] ??= "unknown";
  move(rest, id, { to: entry, as: "id", when: isText });
  move(rest, timestamp, { to: entry, as: "timestamp", when: isInstant });
  entry["data"] = rest;
  return entry;
}

export const COUNTS: ReadonlySet<string> = new Set([
  "input",
  "output",
  "cached",
  "reasoning",
  "total",
]);

function usageOf(tokens: JsonObject, names: NativeNames): JsonObject {
  const usage = newObject();
  for (const [key, value] of Object.entries(tokens)) {
    const name = names.counts.get(key) ?? key;
    const isTaken =
      name === key && [...names.counts].some(([from, to]) => to === key && from in tokens);
    if (isTaken || name === "cost" || (COUNTS.has(name) && !isCount(value))) continue;
    usage[name] = value;
  }
  return usage;
}

function reasoningOf(thought: JsonObject, names: NativeNames): JsonObject {
  const { content, subject, timestamp } = names.thought;
  const rest = newObject(thought);
  const entry = newObject({
    type: "reasoning",
    content: thought[content] ?? missing(rest, content),
  });
  delete rest[content];
  move(rest, subject, { to: entry, as: "subject", when: isText });
  move(rest, timestamp, { to: entry, as: "timestamp", when: isInstant });
  return keepRest(entry, rest);
}

/** A call and its result, if any; without a result the call keeps the status. */
function callOf(call: JsonObject, at: Json | undefined, names: NativeNames): JsonObject[] {
  const rest = newObject(call);
  const entry = newObject({ type: "tool-call" });
  move(rest, names.call.name, { to: entry, as: "name", when: isText });
  entry["name"] ??= "unknown";
  const input = rest[names.call.input];
  entry["input"] = input === undefined ? newObject() : input;
  delete rest[names.call.input];
  move(rest, names.call.id, { to: entry, as: "call-id", when: isText });
  move(rest, names.call.timestamp, { to: entry, as: "timestamp", when: isInstant });
  // Not recorded: use the message's time. The edits record that it was absent.
  if (at !== undefined) entry["timestamp"] ??= at;
  const output = rest[names.call.result];
  const status = rest[names.call.status];
  const hasResult = output !== undefined && output !== null;
  if (isText(status)) delete rest[names.call.status];
  if (hasResult) delete rest[names.call.result];
  else if (isText(status)) entry["status"] = status;
  keepRest(entry, rest);
  if (!hasResult) return [entry];
  const result = newObject({
    type: "tool-result",
    output,
    "call-id": entry["call-id"],
    timestamp: entry["timestamp"],
    status: isText(status) ? status : undefined,
    "is-error": status === names.failed ? true : undefined,
  });
  return [entry, result];
}

interface Move {
  to: JsonObject;
  as: string;
  when: (value: Json) => boolean;
}

/** Moves a member to its field in the record; drops it if it is not valid there. */
function move(rest: JsonObject, name: string, { to, as, when }: Move): void {
  const value = rest[name];
  if (value === undefined) return;
  if (when(value)) to[as] = value;
  delete rest[name];
}

/** Takes a non-empty list of objects out of `rest`; any other value stays there. */
function takeList(rest: JsonObject, name: string): JsonObject[] {
  const list = rest[name];
  if (!Array.isArray(list) || list.length === 0) return [];
  const objects = list.filter(isObject);
  if (objects.length < list.length) return [];
  delete rest[name];
  return objects;
}

/** Unmapped members keep their name, unless it has a meaning in records. */
export function keepRest(entry: JsonObject, rest: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(rest)) {
    if (!ENTRY_MEMBERS.has(key)) entry[key] = value;
  }
  return entry;
}

function missing(rest: JsonObject, name: string): Json {
  return rest[name] === null ? null : "";
}
