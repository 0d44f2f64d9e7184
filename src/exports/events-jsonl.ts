import { versioned } from "../core/schema-version.ts";
import { eventsAsRead } from "../queries/events/events.ts";
import type { Export } from "./export.ts";
import { compactJson } from "./json-text.ts";

/** Normalised events, one per line; `schemas/events.schema.json` describes them. */
export const eventsJsonl: Export = {
  name: "events-jsonl",
  title: "normalised events, one per line",
  mediaType: "application/jsonl",
  extension: "events.jsonl",
  subject: "sessions",
  isLineByLine: true,
  async *write(content) {
    const extras = content.with ?? [];
    for await (const upcoming of content.upcoming) {
      for await (const event of eventsAsRead(upcoming, { with: extras })) {
        yield `${compactJson(versioned(event))}\n`;
      }
    }
  },
};
