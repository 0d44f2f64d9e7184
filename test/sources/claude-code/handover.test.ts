import { expect, test } from "vitest";
import { prepareHandover } from "../../../src/queries/handover/prepare.ts";
import { handover } from "../../../src/sources/claude-code/handover.ts";
import { call, message, NOW, requestAt, session } from "../../samples/handover.ts";

test("an answer that the program will not send causes a remark", () => {
  const remarksOf = (...answers: Parameters<typeof message>[]): string[] => {
    const recorded = session(
      message("user", "go on"),
      ...answers.map((answer) => message(...answer)),
    );
    const { conversation } = prepareHandover(recorded, { sourceName: "Codex", nowMs: NOW });
    return handover.plan(conversation, requestAt("/nowhere")).remarks;
  };
  const remark = expect.stringContaining("(no content)");
  expect(remarksOf(["model", "(no content)"])).toContainEqual(remark);
  expect(remarksOf(["model", "Done."])).not.toContainEqual(remark);
  const toolCalls = [call("a")];
  expect(remarksOf(["model", "(no content)", { toolCalls }])).not.toContainEqual(remark);
});
