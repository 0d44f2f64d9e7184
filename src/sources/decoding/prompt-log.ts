import type { LoggedPrompt, PromptLog } from "../../core/session/prompt-log.ts";
import { diagnosticAt } from "../../core/files/diagnostic.ts";
import { optional } from "../../core/optional.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { PromptLogAbility, Report } from "../source.ts";
import { asName, asObject, asText, asTime } from "./fields.ts";
import { readJsonDocument } from "./json-document.ts";

/**
 * Reads `logs.json`: the prompts of interactive sessions, including slash commands. The file
 * outlives the sessions.
 *
 *     [ {"sessionId": "S", "messageId": 0, "type": "user", "message": "…", "timestamp": "T"} ]
 */
export function readPromptLog(
  bytes: ByteSource,
  report: Report,
  visit: (sessionId: string, prompt: LoggedPrompt) => void,
): void {
  readJsonDocument(bytes, [], {
    elementName: "A prompt",
    report,
    element(value, place) {
      const record = asObject(value);
      const sessionId = asName(record?.["sessionId"]);
      const text = asText(record?.["message"]);
      if (!record || sessionId === undefined || text === undefined) {
        const message = "An element of the prompt log has no session or no message.";
        report(diagnosticAt(place, { code: "bad-element", severity: "notice", message }));
        return;
      }
      const number = record["messageId"];
      visit(sessionId, {
        text,
        ...optional("at", asTime(record["timestamp"])),
        ...(typeof number === "number" ? { number } : {}),
        place,
      });
    },
  });
}

/** Returns one log per session in a file. */
export function promptLogsOf(source: string): PromptLogAbility {
  return {
    read(file, bytes, report) {
      const bySession = new Map<string, LoggedPrompt[]>();
      readPromptLog(bytes, report, (sessionId, prompt) => {
        const prompts = bySession.get(sessionId);
        if (prompts) prompts.push(prompt);
        else bySession.set(sessionId, [prompt]);
      });
      return [...bySession].map(([sessionId, prompts]): Omit<PromptLog, "project"> => {
        return { sessionId, source, prompts, files: [file.path] };
      });
    },
  };
}
