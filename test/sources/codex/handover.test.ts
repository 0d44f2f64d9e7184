import { expect, test } from "vitest";
import { decodeFile, interpretFiles } from "../../../src/ingest/decode.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { prepareHandover } from "../../../src/queries/handover/prepare.ts";
import { handover } from "../../../src/sources/codex/handover.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import { diskView } from "../../../src/sources/view.ts";
import { message, NOW, requestAt, session } from "../../samples/handover.ts";

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
  const { file } = planOf(1_200_000);
  const last = JSON.parse(file.text.trimEnd().split("\n").at(-1) ?? "") as object;
  expect(last).toMatchObject({
    payload: {
      type: "token_count",
      info: { total_token_usage: { input_tokens: 0, total_tokens: expect.any(Number) } },
    },
  });
  const bytes = Buffer.from(file.text);
  const place = { path: file.path, root: ROOT, role: "main", folder: "" } as const;
  const opened = {
    file: { ...place, sizeBytes: bytes.length, modifiedMs: 0, isCleaned: false },
    bytes: memoryBytes(file.path, bytes),
    home: { root: ROOT, folders: [], view: diskView },
  };
  const [read] = interpretFiles(codex, [decodeFile(codex, opened, "full")], "full");
  expect(read?.replies).toEqual([]);
  expect(read?.origins).toEqual([{ sessionId: "old-session", how: "handover" }]);
});
