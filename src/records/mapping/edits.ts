import { canonicalText } from "../json/canonical.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isEqual, isObject, newObject } from "../json/value.ts";

/**
 * The edits that turn one value into another, addressed by JSON Pointer (RFC 6901):
 *
 *     {"op": "remove", "path": "/toolCalls"}
 *     {"op": "set", "path": "/thoughts", "value": []}
 */
export function editsBetween(from: Json, to: Json): JsonObject[] {
  const edits: JsonObject[] = [];
  compare(from, to, { path: "", edits });
  return edits;
}

interface Into {
  path: string;
  edits: JsonObject[];
}

function compare(from: Json, to: Json, into: Into): void {
  if (isObject(from) && isObject(to)) return compareObjects(from, to, into);
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    from.forEach((item, index) => {
      compare(item, to[index] ?? null, { ...into, path: `${into.path}/${index}` });
    });
    return;
  }
  if (!isEqual(from, to)) into.edits.push(newObject({ op: "set", path: into.path, value: to }));
}

function compareObjects(from: JsonObject, to: JsonObject, into: Into): void {
  for (const key of Object.keys(from)) {
    if (key in to) continue;
    into.edits.push(newObject({ op: "remove", path: `${into.path}/${escaped(key)}` }));
  }
  for (const [key, value] of Object.entries(to)) {
    const path = `${into.path}/${escaped(key)}`;
    const known = from[key];
    if (known === undefined) into.edits.push(newObject({ op: "set", path, value }));
    else compare(known, value, { ...into, path });
  }
}

/** Throws if an edit does not apply to the value. */
export function applyEdits(value: Json, edits: readonly Json[]): Json {
  return edits.reduce((edited, edit) => applyEdit(edited, edit), value);
}

function applyEdit(value: Json, edit: Json): Json {
  const path = isObject(edit) ? edit["path"] : undefined;
  if (!isObject(edit) || typeof path !== "string") throw new EditFault("an edit is not understood");
  if (path === "") return edit["value"] ?? null;
  const keys = path.split("/").slice(1).map(unescaped);
  return change(value, keys, edit);
}

/** Copies the objects along the path; everything else is shared. */
function change(value: Json, keys: readonly string[], edit: JsonObject): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return edit["value"] ?? null;
  if (Array.isArray(value)) {
    const index = Number(key);
    const item = /^\d+$/.test(key) ? value[index] : undefined;
    if (item === undefined) throw new EditFault("an edit points beyond a list");
    return value.with(index, change(item, rest, edit));
  }
  if (!isObject(value)) throw new EditFault("an edit points into a value that has no parts");
  const copy = newObject(value);
  if (rest.length === 0 && edit["op"] === "remove") delete copy[key];
  else if (rest.length === 0) copy[key] = edit["value"] ?? null;
  else copy[key] = change(value[key] ?? null, rest, edit);
  return copy;
}

export class EditFault extends Error {}

function escaped(key: string): string {
  return key.replace(/~/g, "~0").replace(/\//g, "~1");
}

function unescaped(step: string): string {
  return step.replace(/~1/g, "/").replace(/~0/g, "~");
}

/** The size of a value in a record, in characters. */
export function weightOf(value: Json): number {
  return canonicalText(value).length;
}
