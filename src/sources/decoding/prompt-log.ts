import type { LoggedPrompt, PromptLog } from "../../core/session/prompt-log.ts";
import { diagnosticAt } from "../../core/files/diagnostic.ts";
import { optional } from "../../core/optional.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { PromptLogAbility, Report } from "../source.ts";
import { asName, asObject, asText, asTime } from "./fields.ts";
import { readJsonDocument } from "./json-document.ts";

/** Where a reader puts the prompts of a file, and reports what is not one. */
export interface PromptSink {
  prompt: (sessionId: string, prompt: LoggedPrompt) => void;
  report: Report;
}

/** Returns one log per session in a file. */
export function promptLogsOf(
  source: string,
  read: (bytes: ByteSource, sink: PromptSink, file: SessionFile) => void,
): PromptLogAbility {
  return {
    read(file, bytes, report) {
      const bySession = promptsBySession(report, (sink) => read(bytes, sink, file));
      return [...bySession].map(([sessionId, prompts]): Omit<PromptLog, "project"> => {
        return { sessionId, source, prompts, files: [file.path] };
      });
    },
  };
}

export function promptsBySession(
  report: Report,
  read: (sink: PromptSink) => void,
): Map<string, LoggedPrompt[]> {
  const bySession = new Map<string, LoggedPrompt[]>();
  const prompt: PromptSink["prompt"] = (sessionId, logged) => {
    const prompts = bySession.get(sessionId);
    if (prompts) prompts.push(logged);
    else bySession.set(sessionId, [logged]);
  };
  read({ prompt, report });
  return bySession;
}

/**
 * Reads `logs.json`: the prompts of interactive sessions, including slash commands. The file
 * outlives the sessions.
 *
 *     [ {"sessionId": "S", "messageId": 0, "type": "user", "message": "…", "timestamp": "T"} ]
 */
export function readPrompts(bytes: ByteSource, { prompt, report }: PromptSink): void {
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
      prompt(sessionId, {
        text,
        ...optional("at", asTime(record["timestamp"])),
        ...(typeof number === "number" ? { number } : {}),
        place,
      });
    },
  });
}
