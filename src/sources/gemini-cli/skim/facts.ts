import type { Facts } from "../../../model/entry.ts";
import { optional } from "../../../model/optional.ts";
import { readFacts } from "../formats/facts.ts";
import type { Json } from "../formats/fields.ts";
import { asName, asObject } from "../formats/fields.ts";
import { isAscii } from "./stub.ts";

/** The facts that are told in ASCII; that there is a title is all that is told of one. */
export function skimFacts(record: Json): Facts | undefined {
  const { summary, directories: _said, ...facts } = readFacts(record);
  const { sessionId = "", projectHash = "", startedAt = "", updatedAt = "" } = facts;
  if (![sessionId, projectHash, startedAt, updatedAt].every(isAscii)) return undefined;
  return { ...facts, ...optional("summary", summary === undefined ? undefined : "…") };
}

/** A value as an object, when it can be the top of a session. */
export function skimHeader(value: unknown): { record: Json; facts: Facts } | undefined {
  const record = asObject(value);
  if (!record || asName(record["sessionId"]) === undefined) return undefined;
  const facts = skimFacts(record);
  return facts ? { record, facts } : undefined;
}
