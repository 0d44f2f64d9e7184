import type { Row } from "../../../kernel/json/row.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asTime } from "../../decoding/fields.ts";
import type { Facts } from "../content.ts";
import { readFacts } from "../formats/facts.ts";
import type { FactPath } from "./fields.ts";
import { RECORD } from "./fields.ts";

interface FactSlot {
  name: FactPath;
  slot: number;
}

const NAMES: readonly FactPath[] = [
  "lastUpdated",
  "sessionId",
  "projectHash",
  "startTime",
  "kind",
  "summary",
  "directories",
  "hasResumableContent",
  "firstUserMessage",
];
const TOP: readonly FactSlot[] = NAMES.map((name) => ({ name, slot: RECORD.slot(name) }));
const PATCH: readonly FactSlot[] = NAMES.map((name) => {
  return { name, slot: RECORD.slot(`$set/${name}`) };
});
const UPDATED: number = RECORD.slot("$set/lastUpdated");
const OTHERS: readonly FactSlot[] = PATCH.filter(({ slot }) => slot !== UPDATED);

function skimFacts(row: Row, slots: readonly FactSlot[]): Facts {
  const record: Json = {};
  for (const { name, slot } of slots) {
    if (!row.has(slot)) continue;
    record[name] = name === "directories" ? row.value(slot) : row.text(slot);
  }
  return readFacts(record);
}

/** Returns what a `$set` record sets: nearly always only the time of the last update. */
export function skimPatch(row: Row): Facts {
  const isAlone = row.has(UPDATED) && OTHERS.every(({ slot }) => !row.has(slot));
  const updatedAt = isAlone ? asTime(row.text(UPDATED)) : undefined;
  return updatedAt === undefined ? skimFacts(row, PATCH) : { updatedAt };
}

/** Returns the facts of a session header, or undefined if the record has no session id. */
export function skimHeader(row: Row): Facts | undefined {
  const facts = skimFacts(row, TOP);
  return asName(facts.sessionId) === undefined ? undefined : facts;
}
