import { eventsOf } from "../queries/events.ts";
import type { Export } from "./export.ts";
import { compactJson } from "./json-text.ts";

/** Normalised events, one per line; `schemas/events.schema.json` describes them. */
export const eventsJsonl: Export = {
  name: "events-jsonl",
  title: "normalised events, one per line",
  mediaType: "application/jsonl",
  extension: "events.jsonl",
  subject: "sessions",
  async *write(content) {
    const extras = content.with ?? [];
    for await (const { session } of content.sessions) {
      for (const event of eventsOf(session, { with: extras })) yield `${compactJson(event)}\n`;
    }
  },
};
