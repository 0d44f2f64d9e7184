import { agentTrace } from "./agent-trace.ts";
import { anthropic } from "./anthropic.ts";
import { atif } from "./atif.ts";
import { csv } from "./csv.ts";
import { eventsJsonl } from "./events-jsonl.ts";
import type { Export } from "./export.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { jsonl } from "./jsonl.ts";
import { markdown } from "./markdown.ts";
import { openai } from "./openai.ts";
import { otel } from "./otel.ts";
import { parquet } from "./parquet.ts";
import { vcon } from "./vcon.ts";

/** All export formats. Help, library and user interfaces read this list. */
export const exports: readonly Export[] = [
  markdown,
  html,
  json,
  jsonl,
  csv,
  parquet,
  eventsJsonl,
  atif,
  otel,
  openai,
  anthropic,
  vcon,
  agentTrace,
];
