import { summarise } from "../core/rows/summarise.ts";
import { messageAnswers } from "../queries/transcript.ts";
import type { Export } from "./export.ts";
import { compactJson } from "./json-text.ts";

/**
 * Our own model as lines: one for the session, then one for each message.
 *
 *     {"type":"session","id":"…",…}
 *     {"type":"message","sessionId":"…","source":"…","id":"…",…}
 */
export const jsonl: Export = {
  name: "jsonl",
  title: "one line per session and message, as Pollux knows them",
  mediaType: "application/jsonl",
  extension: "jsonl",
  subject: "sessions",
  isLineByLine: true,
  async *write({ upcoming, redaction }) {
    for await (const { row, read } of upcoming) {
      if (row) yield `${compactJson({ type: "session", ...row.summary })}\n`;
      const { session, messages, tokens } = await read();
      if (!row) yield `${compactJson({ type: "session", ...summarise(session), tokens })}\n`;
      for (const message of messageAnswers(session, messages)) {
        const of = { sessionId: session.id, source: session.source };
        yield `${compactJson({ type: "message", ...of, ...message })}\n`;
      }
    }
    if (redaction) yield `${compactJson({ type: "redaction", ...redaction() })}\n`;
  },
};
