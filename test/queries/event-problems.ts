import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { versioned } from "../../src/core/schema-version.ts";

const EVENTS = new URL("../../schemas/events.schema.json", import.meta.url);
const isEvent = new Ajv2020({ allErrors: true }).compile(
  JSON.parse(readFileSync(EVENTS, "utf8")) as object,
);

/** Errors of an event, as printed, against the published schema. */
export function eventProblems(event: unknown): unknown[] {
  isEvent(versioned(event));
  return isEvent.errors ?? [];
}
