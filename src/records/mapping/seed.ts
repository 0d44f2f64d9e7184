import type { MessageForm } from "../../sources/native.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isObject, newObject } from "../json/value.ts";
import { losslessEntry } from "./lossless.ts";

/** An entry without the members that the first description of the mapping leaves out. */
export function seedEntry(message: JsonObject, form: MessageForm): JsonObject {
  const { names } = form;
  const entry = losslessEntry(message, form);
  delete entry["token-usage"];
  delete entry[names.message.tokens];
  if (isObject(entry["data"])) {
    const data = newObject(entry["data"]);
    delete data[names.message.tokens];
    entry["data"] = data;
  }
  const { children } = entry;
  if (Array.isArray(children)) entry["children"] = children.map((child) => lessen(child, form));
  return entry;
}

function lessen(child: Json, form: MessageForm): Json {
  if (!isObject(child)) return child;
  const kept = newObject(child);
  if (kept["type"] === "reasoning") delete kept["timestamp"];
  if (kept["type"] !== "tool-call") return kept;
  const { shown, call } = form.names;
  for (const name of shown) delete kept[name];
  // The empty result of a call that never returned.
  if (kept[call.result] === null) delete kept[call.result];
  return kept;
}
