import type { LineForm } from "../../sources/native.ts";
import { fromPlain } from "../json/plain.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isObject, newObject } from "../json/value.ts";
import type { Profile } from "../profile.ts";
import { isCount, isInstant, isText } from "./fits.ts";
import { COUNTS, keepRest } from "./lossless.ts";
import { notNull } from "./reference.ts";

/**
 * Converts one recorded line to an entry. As with messages, values that do not fit the record are
 * restored by the edits beside it.
 */
export function lineEntry(
  line: JsonObject,
  form: LineForm,
  profile: Profile,
): JsonObject | undefined {
  const isLossless = profile === "lossless";
  const made = form.entryOf(line, isLossless ? "lossless" : "reference");
  if (!made) return undefined;
  const entry = objectOf(made.entry);
  const rest = objectOf(made.rest);
  if (isLossless) return keepRest(fitted(entry), rest);
  // In the draft's scripts, a recorded member replaces a translated one of the same name.
  const loose = newObject({ ...notNull(entry), ...notNull(rest) });
  return profile === "seed" ? seeded(fitted(loose), form) : loose;
}

export function invertLine(entry: JsonObject, form: LineForm): JsonObject {
  return objectOf(form.lineOf(entry));
}

function objectOf(value: unknown): JsonObject {
  const object = fromPlain(value);
  return isObject(object) ? object : newObject();
}

const FITS: Readonly<Record<string, (value: Json) => boolean>> = {
  id: isText,
  "parent-id": isText,
  timestamp: isInstant,
  "model-id": isText,
  "call-id": isText,
  status: isText,
  encrypted: isText,
  subject: isText,
  data: isObject,
  "token-usage": isObject,
  "is-error": (value) => typeof value === "boolean",
};

/** Required members of each entry type, with defaults if nothing was recorded. */
const NEEDED: Readonly<Record<string, JsonObject>> = {
  "tool-call": newObject({ name: "unknown", input: newObject() }),
  "tool-result": newObject({ output: null }),
  reasoning: newObject({ content: "" }),
  "system-event": newObject({ "event-type": "unknown" }),
};

function fitted(entry: JsonObject): JsonObject {
  const fit = newObject();
  for (const [key, value] of Object.entries(entry)) {
    if (FITS[key]?.(value) !== false) fit[key] = value;
  }
  if (!isText(fit["name"])) delete fit["name"];
  if (!isText(fit["event-type"])) delete fit["event-type"];
  const { type } = fit;
  const needed = (isText(type) ? NEEDED[type] : undefined) ?? newObject();
  for (const [key, value] of Object.entries(needed)) if (!(key in fit)) fit[key] = value;
  const usage = fit["token-usage"];
  if (isObject(usage)) fit["token-usage"] = fittedUsage(usage);
  const { children } = fit;
  if (Array.isArray(children)) fit["children"] = children.filter(isObject).map(fitted);
  return fit;
}

function fittedUsage(usage: JsonObject): JsonObject {
  const fit = Object.entries(usage).filter(([key, value]) => {
    return key !== "cost" && (!COUNTS.has(key) || isCount(value));
  });
  return newObject(Object.fromEntries(fit));
}

function seeded(entry: JsonObject, { unseeded }: LineForm): JsonObject {
  for (const key of unseeded) delete entry[key];
  return entry;
}
