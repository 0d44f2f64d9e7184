import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import { projectAt } from "../../../core/session/project.ts";
import type { LoggedPrompt, PromptLog } from "../../../core/session/prompt-log.ts";
import type { Place } from "../../../core/files/place.ts";
import type { ByteSource } from "../../../kernel/bytes.ts";
import { asName, asObject } from "../../decoding/fields.ts";
import type { RecordGrammar } from "../../decoding/glued.ts";
import { readJsonLines } from "../../decoding/json-lines.ts";
import type { Report } from "../../source.ts";

const GRAMMAR: RecordGrammar = {
  opening: /\{\s*"(?:display|timestamp|project|sessionId)"\s*:/g,
  isRecord: (value) => typeof asObject(value)?.["display"] === "string",
};

/**
 * Reads the prompts typed in interactive mode, in all projects (1.0.128+):
 *
 *     {"display": "hello", "pastedContents": {}, "timestamp": 1794776533364, "project": "/p",
 *      "sessionId": "s"}
 */
export function readPromptLog(bytes: ByteSource, source: string, report: Report): PromptLog[] {
  const logs = new Map<string, PromptLog>();
  const record = (value: unknown, place: Place): void => {
    const entry = asObject(value) ?? {};
    const text = asName(entry["display"]);
    if (text === undefined) {
      const message = "A line of the prompt history has no text.";
      return report(diagnosticAt(place, { code: "unknown-entry", severity: "notice", message }));
    }
    const path = asName(entry["project"]);
    const sessionId = asName(entry["sessionId"]) ?? `history of ${path ?? "unknown"}`;
    const log = logs.get(sessionId) ?? newLog(sessionId, path, { source, file: bytes.path });
    logs.set(sessionId, log);
    log.prompts.push(readPrompt(text, entry["timestamp"], place));
  };
  readJsonLines(bytes, GRAMMAR, { record, report });
  return [...logs.values()];
}

function newLog(
  sessionId: string,
  path: string | undefined,
  { source, file }: { source: string; file: string },
): PromptLog {
  const unknown = { name: "unknown", knownBy: "folder-name" } as const;
  const project = path === undefined ? unknown : projectAt(path);
  return { sessionId, source, project, prompts: [], files: [file] };
}

/** Times are in milliseconds. */
function readPrompt(text: string, time: unknown, place: Place): LoggedPrompt {
  const isTime = typeof time === "number" && Math.abs(time) <= 8.64e15;
  return { text, place, ...(isTime ? { at: new Date(time).toISOString() } : {}) };
}
