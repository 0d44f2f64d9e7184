/**
 * Of the JSON that is printed and served (`schemas/`). It grows when a field is renamed, taken away
 * or given another meaning; new fields may come at any time.
 */
const SCHEMA_VERSION = 2;

/** An answer, with the version of its schema. */
export function versioned(answer: unknown): unknown {
  const isObject = typeof answer === "object" && answer !== null && !Array.isArray(answer);
  return isObject ? { schemaVersion: SCHEMA_VERSION, ...answer } : answer;
}
