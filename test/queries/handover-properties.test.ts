// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConversationItem } from "../../src/core/session/conversation.ts";
import { readHandoverNote } from "../../src/core/session/conversation.ts";
import type { Message } from "../../src/core/session/message.ts";
import { checkPlan } from "../../src/ingest/handover.ts";
import { prepareHandover } from "../../src/queries/handover/prepare.ts";
import { sources } from "../../src/sources/index.ts";
import { call, message, NOW, readBack, requestAt, session } from "../samples/handover.ts";

const ROOT = "/nowhere/at/all";
const PNG = "iVBORw0KGgo=";

const isSaid = (text: string): boolean => text.trim() !== "";
const words = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
  fc.constantFrom(
    "/clear",
    "<system-reminder>x</system-reminder>",
    "<command-name>/x</command-name>",
    "[Request interrupted by user]",
    "<session_context>a",
    "? help",
    "\ud800 half",
    "\u001b[31mred",
    "--- Content from referenced files ---",
    "# AGENTS.md instructions for /x",
    "<environment_context>y",
  ),
);
const anyCall = fc.record({
  id: fc.string(),
  name: fc.string({ maxLength: 80 }),
  args: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
  output: fc.option(words, { nil: undefined }),
  outcome: fc.constantFrom("success", "error", "cancelled"),
  attachments: fc.array(fc.constant({ mediaType: "image/png", data: "aVZCT1I=" }), {
    maxLength: 1,
  }),
});
const pictures = fc.array(fc.constant({ mediaType: "image/png", data: PNG }), { maxLength: 1 });
const anySummary = words.filter(isSaid).map((text) => {
  const injections = [{ kind: "compression-summary" as const, text }];
  return message("user", text, { isPrompt: false, injections });
});
const beginning = fc.oneof(fc.constant(message("user", "begin")), anySummary);
const anyMessage = fc.oneof(
  fc.tuple(words, pictures).map(([text, attachments]) => message("user", text, { attachments })),
  anySummary,
  fc.tuple(words, fc.array(anyCall, { maxLength: 3 })).map(([text, calls]) => {
    return message("model", text, { toolCalls: calls.map((made) => call(made.id, made)) });
  }),
);

/**
 * The conversation without what may differ: the note, marks around typed text, an agent's frame
 * around a summary, and boundaries between texts of the same speaker.
 */
function shownBy(items: readonly ConversationItem[]): string[] {
  const reported: { who: string; text: string }[] = [];
  for (const item of items) {
    const who = item.kind === "answer" ? "model" : "user";
    const note = readHandoverNote(item.text)?.rest ?? item.text;
    const typed = note.replace(/^\(typed\) /, "").replace(/\n\(end of what was typed\)$/, "");
    const text = withoutFrame(typed).replaceAll(/\s+/g, "");
    const last = reported.at(-1);
    if (item.kind === "prompt" && item.pictures.length > 0) reported.push({ who: "picture", text });
    else if (last?.who === who) last.text += text;
    else reported.push({ who, text });
    if (item.kind !== "answer") continue;
    for (const { name, args, output, pictures: shown } of item.calls) {
      const said = output.replace(/^\[The call failed\.\]\n/, "");
      reported.push({ who: "call", text: JSON.stringify([name, args, said, shown]) });
    }
  }
  return reported.map(({ who, text }) => `${who} ${text}`);
}

function withoutFrame(summary: string): string {
  return summary
    .replace(/^This session is being continued [^\n]*\n/, "")
    .replace(/^<state_snapshot>\n([\s\S]*)\n<\/state_snapshot>$/, "$1");
}

/** Sources that can write another agent's conversation. */
const targets = sources.filter(({ abilities }) => abilities.handover !== undefined);

describe.each(targets)("written for $name", (source) => {
  test("any session is read back to the same prepared conversation", () => {
    fc.assert(
      fc.property(beginning, fc.array(anyMessage, { maxLength: 8 }), (first, messages) => {
        const reported = session(first, ...messages);
        const request = { sourceName: "Gemini CLI", nowMs: NOW };
        const { conversation } = prepareHandover(reported, request);
        const plan = source.abilities.handover?.plan(conversation, requestAt(ROOT));
        if (!plan) throw new Error("no plan");
        checkPlan(plan, conversation, { source, root: ROOT });
        const again = readBack(plan, source, ROOT);
        if (!again) throw new Error("no session");
        expect(again.origins).toEqual([{ sessionId: reported.id, how: "handover" }]);
        expect(again.messages.every((made: Message) => made.isInherited === true)).toBe(true);
        const { directory } = conversation;
        const back = prepareHandover(again, { sourceName: source.name, directory, nowMs: NOW });
        expect(shownBy(back.conversation.items)).toEqual(shownBy(conversation.items));
      }),
      { numRuns: 150 },
    );
  });
});
