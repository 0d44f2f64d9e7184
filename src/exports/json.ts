import { transcribe } from "../queries/transcript.ts";
import type { Export } from "./export.ts";
import { onlySession } from "./export.ts";
import { prettyJson, prettyList } from "./json-text.ts";

/** Our own model: the same object as `pollux show --json`, complete. */
export const json: Export = {
  name: "json",
  title: "the session with all its messages, as Pollux knows it",
  mediaType: "application/json",
  extension: "json",
  subject: "session",
  async *write(content) {
    const { session, tokens } = await onlySession(content);
    const transcript = transcribe(session);
    yield `{\n  "session": ${prettyJson({ ...transcript.session, tokens }, "  ")},\n  "messages": `;
    yield* prettyList(transcript.messages);
    const { redaction } = content;
    if (redaction) yield `,\n  "redaction": ${prettyJson(redaction(), "  ")}`;
    yield "\n}\n";
  },
};
