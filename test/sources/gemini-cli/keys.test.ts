import { expect, test } from "vitest";
import type { SessionFile } from "../../../src/core/files/session-file.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { keysOf } from "../../../src/sources/gemini-cli/keys.ts";

test("a file whose header is damaged is still read with the other files of its session", () => {
  const line = '{"sessionId":"{"sessionId":"27053bae-dd4f-4300-9589-b0187c49b9f5","kind":"main"}\n';
  const file = { path: "/home/ada/.gemini/tmp/x/chats/session-1.jsonl" } as SessionFile;
  expect(keysOf(file, memoryBytes(file.path, Buffer.from(line)))).toEqual([
    "27053bae-dd4f-4300-9589-b0187c49b9f5",
  ]);
});
