import type { Facts } from "../../../model/entry.ts";
import { readFacts } from "../formats/facts.ts";
import type { Json } from "../formats/fields.ts";
import { asName } from "../formats/fields.ts";
import { slotOf } from "./layout.ts";
import type { Row } from "./row.ts";
import { isAscii } from "./stub.ts";

/** Slots by the names that the reader knows; what is taken of a value, or only its kind. */
type FactSlots = readonly (readonly [name: string, slot: number, use: "value" | "kind"])[];

const TOP: FactSlots = [
  ["sessionId", slotOf("sessionId"), "value"],
  ["projectHash", slotOf("projectHash"), "value"],
  ["startTime", slotOf("startTime"), "value"],
  ["lastUpdated", slotOf("lastUpdated"), "value"],
  ["kind", slotOf("kind"), "value"],
  ["summary", slotOf("summary"), "kind"],
  ["hasResumableContent", slotOf("hasResumableContent"), "kind"],
  ["firstUserMessage", slotOf("firstUserMessage"), "kind"],
];
const PATCH: FactSlots = [
  ["sessionId", slotOf("$set.sessionId"), "value"],
  ["projectHash", slotOf("$set.projectHash"), "value"],
  ["startTime", slotOf("$set.startTime"), "value"],
  ["lastUpdated", slotOf("$set.lastUpdated"), "value"],
  ["kind", slotOf("$set.kind"), "value"],
  ["summary", slotOf("$set.summary"), "kind"],
  ["hasResumableContent", slotOf("$set.hasResumableContent"), "kind"],
  ["firstUserMessage", slotOf("$set.firstUserMessage"), "kind"],
];

/** The facts that are told in ASCII; that there is a title is all that is told of one. */
function skimFacts(row: Row, slots: FactSlots): Facts | undefined {
  const record: Json = {};
  for (const [name, slot, use] of slots) {
    if (row.has(slot)) record[name] = use === "kind" ? row.kind(slot) : row.value(slot);
  }
  const facts = readFacts(record);
  const { sessionId = "", projectHash = "", startedAt = "", updatedAt = "" } = facts;
  const isTold = isAscii(sessionId) && isAscii(projectHash);
  return isTold && isAscii(startedAt) && isAscii(updatedAt) ? facts : undefined;
}

/** What a record sets. */
export function skimPatch(row: Row): Facts | undefined {
  return skimFacts(row, PATCH);
}

/** A record, when it can be the top of a session. */
export function skimHeader(row: Row): Facts | undefined {
  const facts = skimFacts(row, TOP);
  return asName(facts?.sessionId) === undefined ? undefined : facts;
}
