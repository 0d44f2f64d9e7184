import type { Facts } from "../content.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asTime } from "../../decoding/fields.ts";

/**
 * Reads session-level fields from a header line, a `$set` or the top level of a document:
 *
 *     {"sessionId": "S", "projectHash": "H", "startTime": "T0", "lastUpdated": "T0", …}
 */
export function readFacts(record: Json): Facts {
  // Avoids spreads: every few lines update the time of the session.
  const facts: Facts = {};
  const sessionId = asName(record["sessionId"]);
  if (sessionId !== undefined) facts.sessionId = sessionId;
  const projectHash = asName(record["projectHash"]);
  if (projectHash !== undefined) facts.projectHash = projectHash;
  const startedAt = asTime(record["startTime"]);
  if (startedAt !== undefined) facts.startedAt = startedAt;
  const updatedAt = asTime(record["lastUpdated"]);
  if (updatedAt !== undefined) facts.updatedAt = updatedAt;
  const kind = record["kind"];
  if (kind === "main" || kind === "subagent") facts.kind = kind;
  const summary = asName(record["summary"]);
  if (summary !== undefined) facts.summary = summary;
  const directories = asList(record["directories"])?.flatMap((item) => asName(item) ?? []);
  if (directories && directories.length > 0) facts.directories = directories;
  if ("hasResumableContent" in record || "firstUserMessage" in record) facts.isImport = true;
  return facts;
}
