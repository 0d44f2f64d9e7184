import { expect, test } from "vitest";
import { prepareHandover } from "../../../src/queries/handover/prepare.ts";
import { handover } from "../../../src/sources/codex/handover.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import { message, NOW, readBack, requestAt, session } from "../../samples/handover.ts";

const ROOT = "/nowhere/at/all";

test("a conversation above half the context window has its size recorded as unpaid tokens", () => {
  const planOf = (characters: number) => {
    const recorded = session(
      message("user", "word ".repeat(characters / 5)),
      message("model", "Yes."),
    );
    const { conversation } = prepareHandover(recorded, { sourceName: "Gemini CLI", nowMs: NOW });
    return handover.plan(conversation, requestAt(ROOT));
  };
  expect(planOf(400_000).file.text).not.toContain("token_count");
  const plan = planOf(1_200_000);
  const last = JSON.parse(plan.file.text.trimEnd().split("\n").at(-1) ?? "") as object;
  expect(last).toMatchObject({
    payload: {
      type: "token_count",
      info: { total_token_usage: { input_tokens: 0, total_tokens: expect.any(Number) } },
    },
  });
  const read = readBack(plan, codex, ROOT);
  expect(read?.replies).toEqual([]);
  expect(read?.origins).toEqual([{ sessionId: "old-session", how: "handover" }]);
});
