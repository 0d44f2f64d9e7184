import { Fields } from "../../../kernel/json/fields.ts";

/** Fields of a message to read. */
const MESSAGE_PATHS = [
  "id",
  "timestamp",
  "type",
  "content",
  "parts",
  "model",
  "toolCalls",
  "tokens",
  "tokens/input",
  "tokens/output",
  "tokens/cached",
  "tokens/thoughts",
  "tokens/tool",
  "tokens/total",
] as const;

/** Fields of a session, on a separate line, at the top level of a document, or in a `$set`. */
const FACT_PATHS = [
  "sessionId",
  "projectHash",
  "startTime",
  "lastUpdated",
  "kind",
  "summary",
  "directories",
  "hasResumableContent",
  "firstUserMessage",
] as const;

const OTHER_PATHS = ["messages", "$rewindTo", "$set", "$set/messages"] as const;

export type FactPath = (typeof FACT_PATHS)[number];
type RecordPath =
  | (typeof MESSAGE_PATHS)[number]
  | (typeof OTHER_PATHS)[number]
  | FactPath
  | `$set/${FactPath}`;

const MESSAGE: Fields = new Fields(MESSAGE_PATHS);

/**
 * Fields of a line or a whole document. Slots are numbered in the order of the paths, so that a
 * message's slots are the same on a line and in the list of a document.
 */
export const RECORD: Fields<RecordPath> = new Fields<RecordPath>(
  [
    ...MESSAGE_PATHS,
    ...FACT_PATHS,
    ...OTHER_PATHS,
    ...FACT_PATHS.map((path): RecordPath => `$set/${path}`),
  ],
  { messages: MESSAGE },
);
