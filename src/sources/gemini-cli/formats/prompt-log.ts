import type { LoggedPrompt } from "../../../core/prompt-log.ts";
import { diagnosticAt } from "../../../core/diagnostic.ts";
import { optional } from "../../../core/optional.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { splitJson } from "../../../kernel/json/split.ts";
import { asName, asObject, asText, asTime } from "../../decoding/fields.ts";
import type { Sink } from "./format.ts";
import { parseJson } from "../../decoding/parse.ts";
import { placeOf, reportEnd, reportElement } from "./single-json.ts";

/**
 * `logs.json`: what was typed in interactive sessions, slash commands included. It outlives the
 * sessions themselves.
 *
 *     [ {"sessionId": "S", "messageId": 0, "type": "user", "message": "…", "timestamp": "T"} ]
 */
export function readPromptLog(
  source: ByteSource,
  sink: Pick<Sink, "report">,
  visit: (sessionId: string, prompt: LoggedPrompt) => void,
): void {
  const wholeSink: Sink = { entry: () => undefined, report: sink.report };
  const end = splitJson(source.chunks(), { lists: [""], rest: "fields" }, (piece) => {
    if (!piece.isElement) return;
    const place = placeOf(source, piece);
    const parsed = parseJson(piece.bytes);
    if (!parsed.isJson)
      return reportElement(source, piece, { what: "A prompt", ...parsed }, wholeSink);
    const record = asObject(parsed.value);
    const sessionId = asName(record?.["sessionId"]);
    const text = asText(record?.["message"]);
    if (!record || sessionId === undefined || text === undefined) {
      const message = "An element of the prompt log has no session or no message.";
      sink.report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
      return;
    }
    const number = record["messageId"];
    visit(sessionId, {
      text,
      ...optional("at", asTime(record["timestamp"])),
      ...(typeof number === "number" ? { number } : {}),
      place,
    });
  });
  reportEnd(source, end, wholeSink);
}
