import type { Facts } from "../entry.ts";
import { readFacts } from "../formats/facts.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asTime } from "../../decoding/fields.ts";
import { slotOf } from "./layout.ts";
import type { Row } from "./row.ts";
import { isAscii } from "./stub.ts";

/** By the names that the reader knows; of some, only the kind of the value is taken. */
interface FactSlot {
  name: string;
  slot: number;
  use: "value" | "kind";
}

const VALUES = ["lastUpdated", "sessionId", "projectHash", "startTime", "kind"] as const;
const KINDS = ["summary", "hasResumableContent", "firstUserMessage"] as const;

function slotsIn(prefix: "" | "$set."): FactSlot[] {
  const values = VALUES.map((name): FactSlot => {
    return { name, slot: slotOf(`${prefix}${name}`), use: "value" };
  });
  const kinds = KINDS.map((name): FactSlot => {
    return { name, slot: slotOf(`${prefix}${name}`), use: "kind" };
  });
  return [...values, ...kinds];
}

const TOP = slotsIn("");
const PATCH = slotsIn("$set.");
const UPDATED: number = slotOf("$set.lastUpdated");
const OTHERS = PATCH.map(({ slot }) => slot).filter((slot) => slot !== UPDATED);

/** The facts that are told in ASCII; that there is a title is all that is told of one. */
function skimFacts(row: Row, slots: readonly FactSlot[]): Facts | undefined {
  const record: Json = {};
  for (const { name, slot, use } of slots) {
    if (row.has(slot)) record[name] = use === "kind" ? row.kind(slot) : row.value(slot);
  }
  const facts = readFacts(record);
  const { sessionId = "", projectHash = "", startedAt = "", updatedAt = "" } = facts;
  const isTold = isAscii(sessionId) && isAscii(projectHash);
  return isTold && isAscii(startedAt) && isAscii(updatedAt) ? facts : undefined;
}

/** What a record sets: nearly always when the session was last updated, and nothing else. */
export function skimPatch(row: Row): Facts | undefined {
  const isAlone = row.has(UPDATED) && OTHERS.every((slot) => !row.has(slot));
  const updatedAt = isAlone ? asTime(row.value(UPDATED)) : undefined;
  return updatedAt !== undefined && isAscii(updatedAt) ? { updatedAt } : skimFacts(row, PATCH);
}

/** A record, when it can be the top of a session. */
export function skimHeader(row: Row): Facts | undefined {
  const facts = skimFacts(row, TOP);
  return asName(facts?.sessionId) === undefined ? undefined : facts;
}
