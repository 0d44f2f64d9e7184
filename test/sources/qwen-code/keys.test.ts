import { expect, test } from "vitest";
import type { SessionFile } from "../../../src/core/files/session-file.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { keysOf } from "../../../src/sources/qwen-code/keys.ts";

const ID = "61bcb374-a456-4a3d-8860-bc4a11deaa16";

test("a chat whose first record is damaged is still read with the totals of its session", () => {
  const line = `{"uuid":"1","sessionId":"{"uuid":"1","sessionId":"${ID}","type":"user"}\n`;
  const file = {
    path: `/home/ada/.qwen/projects/x/chats/${ID}.jsonl`,
    role: "main",
  } as SessionFile;
  expect(keysOf(file, memoryBytes(file.path, Buffer.from(line)))).toContain(ID);
});
