import { describe, expect, test } from "vitest";
import { handoverNote } from "../../src/core/session/conversation.ts";
import { recogniseHandover } from "../../src/core/session/handed-over.ts";
import type { Message } from "../../src/core/session/message.ts";
import type { Reply } from "../../src/core/session/session.ts";
import { message, session } from "../samples/handover.ts";

const origin = { source: "codex", name: "Codex", sessionId: "older" };
const PLACE = { file: "f", line: 1, start: 0, end: 1 };

function replyAt(at: string): Reply {
  const counts = { shape: "cache-inside-input", reasoning: "inside-output", input: 5 } as const;
  return { id: at, messageId: "m", at, counts, standing: "live", place: PLACE };
}

const ANSWERED = "2026-11-15T10:05:00.000Z";

/** A session: a prompt at 10:00 with a handover note of `noteAt`, and an answer at 10:05. */
function saying(noteAt: string, ...between: Message[]) {
  const recorded = session(
    message("user", `${handoverNote(origin, noteAt)}\n\ngo on`),
    ...between,
    message("model", "I go on.", { at: ANSWERED }),
  );
  return recogniseHandover({ ...recorded, replies: [replyAt(ANSWERED)] });
}

describe("a handover note", () => {
  test("is recognised when no reply was paid for before the next prompt", () => {
    const next = message("user", "and now?", { at: "2026-11-15T10:04:00.000Z" });
    const recorded = saying("2026-11-15T10:01:00.000Z", next);
    expect(recorded.origins).toEqual([{ sessionId: "older", how: "handover" }]);
    expect(recorded.messages.map(({ isInherited }) => isInherited)).toEqual([
      true,
      undefined,
      undefined,
    ]);
    expect(recorded.messages[0]?.typed).toBe("go on");
  });

  test.each([
    ["names an hour before its own prompt", "2026-11-15T09:00:00.000Z"],
    ["names an hour after answers that were paid for", "2026-11-15T11:00:00.000Z"],
    ["names a minute before its own answer", "2026-11-15T10:04:00.000Z"],
  ])("is an ordinary prompt if it %s", (_how, noteAt) => {
    const recorded = saying(noteAt);
    expect(recorded.origins).toBeUndefined();
    expect(recorded.messages.every(({ isInherited }) => isInherited === undefined)).toBe(true);
    expect(recorded.messages[0]?.text).toContain("[Continued from Codex");
  });
});
