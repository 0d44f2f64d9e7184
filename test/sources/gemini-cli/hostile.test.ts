import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionFile } from "../../../src/core/files/session-file.ts";
import { geminiCli } from "../../../src/sources/gemini-cli/index.ts";
import { FileReplay } from "../../../src/sources/gemini-cli/interpret/file-replay.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { linesOf } from "../../../src/sources/decoding/lines.ts";
import { readEntries } from "../../../src/sources/gemini-cli/read.ts";
import { chopped } from "../../contracts/chopped.ts";
import { playText } from "./interpret/play.ts";

const HEADER = '{"sessionId":"S","projectHash":"H","kind":"main"}';

function readLine(line: string): ReturnType<typeof playText> {
  return playText(`${HEADER}\n${line}\n`);
}

const deep = "[".repeat(100_000) + "]".repeat(100_000);
const deepObject = '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000);

describe("a text with an invalid escape", () => {
  const file = {
    path: "checkpoint-x.json",
    folder: "p",
    sizeBytes: 1,
    modifiedMs: 0,
  } as SessionFile;

  test("as session id of a file gives no key", () => {
    const bytes = memoryBytes("x.jsonl", Buffer.from('{"sessionId":"a\\q"}'));
    expect(geminiCli.keysOf(file, bytes)).toEqual([]);
  });

  test("as the authType of a saved chat is left out", () => {
    const chat = '{"history":[{"role":"user","parts":[{"text":"hi"}]}],"authType":"a\\q"}';
    const read = geminiCli.abilities.savedChats?.read(
      file,
      memoryBytes(file.path, Buffer.from(chat)),
      () => undefined,
    );
    expect(read).toMatchObject({ tag: "x" });
    expect(read?.authType).toBeUndefined();
  });
});

describe("values nested 100,000 deep are accepted", () => {
  const fields = [
    "id",
    "timestamp",
    "type",
    "content",
    "displayContent",
    "thoughts",
    "tokens",
    "model",
    "toolCalls",
  ];
  test.each(fields)("as %s of a message", (field) => {
    const record = { id: '"m1"', type: '"gemini"', content: '"hi"', [field]: deep };
    const text = Object.entries(record).map(([key, value]) => `"${key}":${value}`);
    const { messages } = readLine(`{${text.join(",")}}`);
    expect(messages.length).toBe(1);
  });

  test.each(["id", "name", "args", "result", "status", "resultDisplay", "agentId"])(
    "as %s of a tool call",
    (field) => {
      const call = { id: '"c1"', name: '"glob"', status: '"success"', [field]: deepObject };
      const text = Object.entries(call).map(([key, value]) => `"${key}":${value}`);
      const line = `{"id":"m1","type":"gemini","content":"","toolCalls":[{${text.join(",")}}]}`;
      const [message] = readLine(line).messages;
      expect(message?.toolCalls.length).toBe(1);
      // The result can be serialised.
      expect(JSON.stringify(message).length).toBeLessThan(1_000_000);
    },
  );

  test.each(["$set", "sessionId", "messages", "directories"])("as %s of a header", (field) => {
    const session = readLine(`{"sessionId":"S","${field}":${deep}}`);
    expect(session.messages).toEqual([]);
  });

  test("as the result of a call", () => {
    const response = `{"functionResponse":{"id":"c1","response":{"output":${deepObject}}}}`;
    const line = `{"id":"u1","type":"user","content":[${response}]}`;
    expect(readLine(line).messages[0]?.results.length).toBe(1);
  });

  test("in a message without an id, which gets the same id every time", () => {
    const line = `{"type":"user","content":"hi","timestamp":${deep}}`;
    expect(readLine(line).messages[0]?.id).toBe(readLine(line).messages[0]?.id);
  });
});

describe("keys of the object prototype", () => {
  test("are plain data", () => {
    const args = '{"__proto__":{"polluted":1},"constructor":2,"toString":3}';
    const call = `{"id":"c1","name":"__proto__","args":${args},"status":"constructor"}`;
    const tokens = '{"__proto__":{"input":5}}';
    const rest = `"content":"x","toolCalls":[${call}],"tokens":${tokens}`;
    const line = `{"id":"__proto__","type":"gemini",${rest}}`;
    const { messages } = readLine(
      `${line}\n{"$set":{"__proto__":{"messages":[]}}}\n{"$rewindTo":"constructor"}`,
    );
    expect(messages.map(({ id, standing }) => [id, standing])).toEqual([["__proto__", "rewound"]]);
    expect(messages[0]?.toolCalls[0]?.name).toBe("__proto__");
    expect(messages[0]?.usage).toBeUndefined();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("text", () => {
  test("with a lone surrogate stays unchanged", () => {
    const { messages } = readLine('{"id":"u1","type":"user","content":"half \\ud83d end"}');
    expect(messages[0]?.text).toBe("half \ud83d end");
  });

  test("that is not UTF-8 is read and reported", () => {
    const line = Buffer.concat([
      Buffer.from(`${HEADER}\n{"id":"u1","type":"user","content":"caf`),
      Buffer.from([0xe9]),
      Buffer.from('"}\n'),
    ]);
    const session = playText(line);
    expect(session.messages[0]?.text).toBe("caf\ufffd");
    expect(session.diagnostics.map(({ code }) => code)).toEqual(["invalid-utf8"]);
  });

  test("may contain the replacement character", () => {
    const session = readLine('{"id":"u1","type":"user","content":"\ufffd"}');
    expect(session.diagnostics).toEqual([]);
  });
});

describe("lines", () => {
  test("do not depend on the chunks", () => {
    const text = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "{}", "\0"), { maxLength: 60 });
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, sizes, (pieces, chunkSizes) => {
        const bytes = Buffer.from(pieces.join(""));
        const lines: string[] = [];
        let offset = 0;
        for (const line of linesOf(chopped("file", bytes, chunkSizes))) {
          lines.push(line.bytes.toString("utf8"));
          expect([line.number, line.start]).toEqual([lines.length, offset]);
          offset += line.length + 1;
        }
        const wanted = bytes.toString("utf8").split("\n");
        if (wanted.at(-1) === "") wanted.pop();
        expect(lines).toEqual(wanted);
      }),
    );
  });
});

describe("arbitrary bytes", () => {
  test("have a format and cause no exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const replay = new FileReplay();
        const reported: string[] = [];
        const readAs = readEntries(memoryBytes("file", bytes), {
          entry: (entry) => replay.play(entry),
          report: ({ code }) => reported.push(code),
        });
        // Nothing is skipped without a report.
        const isTold = replay.headers + replay.messages.length + reported.length > 0;
        expect(isTold).toBe(true);
        expect(["append-jsonl", "single-json", "saved-chat", "empty", "unknown"]).toContain(
          readAs.format,
        );
      }),
      { numRuns: 1000 },
    );
  });
});
