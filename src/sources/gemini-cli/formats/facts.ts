import type { Facts } from "../../../model/entry.ts";
import { optional } from "../../../model/optional.ts";
import type { Json } from "./fields.ts";
import { asList, asName, asTime } from "./fields.ts";

/**
 * Session-level fields, from a header line, a `$set` or the top of a document:
 *
 *     {"sessionId": "S", "projectHash": "H", "startTime": "T0", "lastUpdated": "T0", …}
 */
export function readFacts(record: Json): Facts {
  const kind = record["kind"];
  const directories = asList(record["directories"])?.flatMap((item) => asName(item) ?? []);
  return {
    ...optional("sessionId", asName(record["sessionId"])),
    ...optional("projectHash", asName(record["projectHash"])),
    ...optional("startedAt", asTime(record["startTime"])),
    ...optional("updatedAt", asTime(record["lastUpdated"])),
    ...(kind === "main" || kind === "subagent" ? { kind } : {}),
    ...optional("summary", asName(record["summary"])),
    ...(directories && directories.length > 0 ? { directories } : {}),
    ...("hasResumableContent" in record || "firstUserMessage" in record ? { isImport: true } : {}),
  };
}
