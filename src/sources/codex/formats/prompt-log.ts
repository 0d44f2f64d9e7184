import { originalPath } from "../../../core/files/session-file.ts";
import { basename } from "node:path";
import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import { optional } from "../../../core/optional.ts";
import type { Place } from "../../../core/files/place.ts";
import type { SessionFile } from "../../../core/files/session-file.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { asName, asObject, asText } from "../../decoding/fields.ts";
import { readJsonLines } from "../../decoding/json-lines.ts";
import { parseJson } from "../../decoding/parse.ts";
import type { PromptSink } from "../../decoding/prompt-log.ts";

const MAX_DOCUMENT_BYTES = 100 * 1024 * 1024;

/**
 * `history.jsonl`: `{"session_id": "…", "ts": 1794776908, "text": "…"}`, in seconds. The TypeScript
 * version wrote `history.json`: `[{"command": "…", "timestamp": 1794777605454}]`, in milliseconds
 * and without sessions; its prompts are listed under the name of the file.
 */
export function readPrompts(bytes: ByteSource, sink: PromptSink, file: SessionFile): void {
  const name = basename(originalPath(file));
  if (name === "history.json") return readDocument(bytes, sink, name);
  const grammar = { opening: /\{"session_id":/g, isRecord: isLogged };
  readJsonLines(bytes, grammar, {
    report: sink.report,
    record(value, place) {
      const record = asObject(value);
      const sessionId = asName(record?.["session_id"]);
      const text = asText(record?.["text"]);
      if (sessionId === undefined || text === undefined) return reportBad(sink, place);
      sink.prompt(sessionId, { text, ...optional("at", timeOf(record?.["ts"], 1000)), place });
    },
  });
}

function isLogged(value: unknown): boolean {
  return asName(asObject(value)?.["session_id"]) !== undefined;
}

function readDocument(bytes: ByteSource, sink: PromptSink, name: string): void {
  const whole = bytes.range(0, MAX_DOCUMENT_BYTES);
  const place = { file: bytes.path, line: 1, start: 0, end: whole.length };
  const parsed = parseJson(whole);
  if (!parsed.isJson || !Array.isArray(parsed.value)) return reportBad(sink, place);
  for (const element of parsed.value as unknown[]) {
    const record = asObject(element);
    const text = asText(record?.["command"]);
    if (text === undefined) reportBad(sink, place);
    else sink.prompt(name, { text, ...optional("at", timeOf(record?.["timestamp"], 1)), place });
  }
}

function reportBad({ report }: PromptSink, place: Place): void {
  const message = "An element of the prompt log has no session or no text.";
  report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
}

/** The end of the calendar: 8.64e15 ms. */
function timeOf(value: unknown, unitMs: number): string | undefined {
  if (typeof value !== "number" || !(Math.abs(value * unitMs) <= 8.64e15)) return undefined;
  return new Date(value * unitMs).toISOString();
}
