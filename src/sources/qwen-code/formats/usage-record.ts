import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject, isCount } from "../../decoding/fields.ts";
import type { RecordGrammar } from "../../decoding/glued.ts";
import { readJsonLines } from "../../decoding/json-lines.ts";
import type { Report } from "../../source.ts";
import type { ProcessTotals } from "../content.ts";
import { PROCESS, readCounts } from "./usage.ts";

export const USAGE_RECORD = "usage_record.jsonl";

/**
 * Reads `usage_record.jsonl` (0.18+): the usage of each process, written when it ends.
 *
 *     {"version":1,"sessionId":"S","timestamp":1794778140819,"startTime":1794778137005,
 *      "project":"/p","models":{"M":{"requests":8,"inputTokens":116380,"totalTokens":117092,…}}}
 */
export function readUsageRecord(source: ByteSource, report: Report): ProcessTotals[] {
  const lines: ProcessTotals[] = [];
  readJsonLines(source, GRAMMAR, {
    report,
    record(value, place) {
      const totals = readLine(asObject(value), place, report);
      if (totals) lines.push(totals);
    },
  });
  return lines;
}

const GRAMMAR: RecordGrammar = {
  opening: /\{\s*"(?:version|sessionId)"\s*:/g,
  isRecord: (value) => asName(asObject(value)?.["sessionId"]) !== undefined,
};

function readLine(
  record: Json | undefined,
  place: Place,
  report: Report,
): ProcessTotals | undefined {
  const sessionId = asName(record?.["sessionId"]);
  const endMs = record?.["timestamp"];
  if (!record || sessionId === undefined || !isMoment(endMs)) {
    const message = "A line of the usage totals has no session or no time.";
    report(diagnosticAt(place, { code: "unknown-entry", severity: "notice", message }));
    return undefined;
  }
  const startMs = record["startTime"];
  const project = asName(record["project"]);
  const models = Object.entries(asObject(record["models"]) ?? {}).flatMap(([model, recorded]) => {
    const counts = readCounts(recorded, PROCESS, { place, report });
    const requests = asObject(recorded)?.["requests"];
    return counts ? [{ model, requests: isCount(requests) ? requests : 0, counts }] : [];
  });
  return {
    sessionId,
    ...(project === undefined ? {} : { project }),
    startMs: isMoment(startMs) ? startMs : endMs,
    endMs,
    models,
  };
}

/** Whether a value is a valid time in milliseconds since 1970. */
function isMoment(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 8.64e15;
}
