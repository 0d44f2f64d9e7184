import { isObject } from "./json.ts";

/**
 * Version of the JSON that is printed and served (`schemas/`). Raised when a field is renamed,
 * removed or changes its meaning; adding fields does not change it.
 */
const SCHEMA_VERSION = 2;

/** Adds the schema version to an answer. */
export function versioned(answer: unknown): unknown {
  return isObject(answer) ? { schemaVersion: SCHEMA_VERSION, ...answer } : answer;
}
