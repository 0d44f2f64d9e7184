import { describe, expect, it } from "vitest";
import type { Entry } from "../../../src/sources/gemini-cli/content.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { geminiCli } from "../../../src/sources/gemini-cli/index.ts";
import { readEntries } from "../../../src/sources/gemini-cli/read.ts";
import type { MessageForm } from "../../../src/sources/native.ts";
import type { Authorship, EditedPart } from "../../../src/core/session/file-edit.ts";
import type { FileAct } from "../../../src/sources/native.ts";

const native = geminiCli.abilities.native as MessageForm;

describe("the layout of lines", () => {
  it.each([
    [{ $rewindTo: "x", id: "y" }, { isMessage: false }],
    [{ id: "x", $set: {} }, { isMessage: true }],
    [{ $set: { lastUpdated: "t" } }, { isMessage: false, facts: ["$set"] }],
    [{ $set: { messages: [] } }, { isMessage: false, facts: ["$set"], list: ["$set", "messages"] }],
    [{ $set: { messages: {} } }, { isMessage: false, facts: ["$set"] }],
    [{ sessionId: "s" }, { isMessage: false, facts: [] }],
    [
      { sessionId: "s", messages: [] },
      { isMessage: false, facts: [], list: ["messages"] },
    ],
    [{ type: "user", content: "" }, { isMessage: true }],
    [{ type: "user" }, { isMessage: false }],
    [{}, { isMessage: false }],
  ])("%j", (value, wanted) => {
    expect(native.layoutOf(value)).toEqual(wanted);
  });

  it("messages have the same id as in the reader, recorded or derived", () => {
    const text = [
      '{"sessionId":"s","projectHash":"h"}',
      '{"id":"u1","type":"user","content":"a"}',
      '{"type":"user","content":"b","timestamp":"2026-01-01T00:00:00Z"}',
    ].join("\n");
    const bytes = memoryBytes("s.jsonl", Buffer.from(text));
    const entries: Entry[] = [];
    readEntries(bytes, { entry: (entry) => entries.push(entry), report: () => undefined });
    const read = entries.flatMap((entry) => (entry.kind === "message" ? [entry.message.id] : []));
    const ours = [...native.lines(bytes)].slice(1).map(({ place }) => {
      const value = JSON.parse(text.split("\n")[place.line - 1] ?? "") as Record<string, unknown>;
      return native.idOf(value, place);
    });
    expect(ours).toEqual(read);
  });

  it("whole records are recovered from a damaged line", () => {
    const line = (text: string) => {
      const place = { file: "f", line: 1, start: 0, end: text.length };
      return { bytes: Buffer.from(text), place, isTooLong: false, isTerminated: true };
    };
    expect(native.recover(line('{"id":"a","ty{"id":"b","type":"user"}'))).toEqual([
      { id: "b", type: "user" },
    ]);
    expect(native.recover(line('\0\0{"id":"b"}'))).toEqual([{ id: "b" }]);
    expect(native.recover(line('{"id":'))).toEqual([]);
  });
});

describe("vendors of models", () => {
  it.each([
    ["gemini-3-pro-preview", "google"],
    ["claude-opus", "anthropic"],
    ["gpt-5", "openai"],
    ["o3-mini", "openai"],
    ["auto-gemini-3", "unknown"],
    ["gemma-3", "unknown"],
  ])("%s: %s", (model, vendor) => {
    expect(native.vendorOf(model)).toBe(vendor);
  });
});

describe("file effects of calls", () => {
  const call = (name: string, args: object, more: object = {}): FileAct | undefined => {
    const output = "output" in more ? more.output : "ok";
    const response = { functionResponse: { id: "c", name, response: { output } } };
    return native.fileActOf({
      id: "c",
      name,
      args,
      result: [response],
      status: "success",
      ...more,
    });
  };
  const path = "a.txt";
  const edit = (part: EditedPart, hand: Authorship = "ai"): FileAct => {
    return { kind: "edit", path, parts: [part], hand };
  };

  it.each<[string, FileAct | undefined, FileAct | undefined]>([
    [
      "a whole read",
      call("read_file", { file_path: path }, { output: "x\n" }),
      { kind: "read", path, text: "x\n" },
    ],
    [
      "a read of an old version",
      call("read_file", { absolute_path: "/a" }, { output: "x" }),
      { kind: "read", path: "/a", text: "x" },
    ],
    ["a partial read", call("read_file", { file_path: path, offset: 3 }), undefined],
    ["a read of lines", call("read_file", { file_path: path, start_line: 1 }), undefined],
    [
      "a read with something added",
      call("read_file", { file_path: path }, { output: "x\n<hook_context>y</hook_context>" }),
      undefined,
    ],
    [
      "a new file",
      call(
        "write_file",
        { file_path: path, content: "x" },
        { output: "Successfully created and wrote to new file: a.txt." },
      ),
      edit({ extent: "whole", before: "", after: "x" }),
    ],
    [
      "an overwritten file",
      call("write_file", { file_path: path, content: "x" }),
      edit({ extent: "whole", after: "x" }),
    ],
    [
      "an edit",
      call("replace", { file_path: path, old_string: "a", new_string: "b" }),
      edit({ extent: "part", before: "a", after: "b" }),
    ],
    [
      "an edit of several occurrences",
      call("replace", {
        file_path: path,
        old_string: "a",
        new_string: "b",
        expected_replacements: 3,
      }),
      edit({ extent: "part", before: "a", after: "b", times: 3 }),
    ],
    [
      "an edit of all occurrences",
      call("replace", { file_path: path, old_string: "a", new_string: "b", allow_multiple: true }),
      edit({ extent: "part", before: "a", after: "b", times: "all" }),
    ],
    [
      "an edit that creates a file",
      call("replace", { file_path: path, old_string: "", new_string: "b" }),
      edit({ extent: "whole", before: "", after: "b" }),
    ],
    [
      "an edit with both texts",
      call(
        "replace",
        { file_path: path },
        { resultDisplay: { fileDiff: "", originalContent: "a", newContent: "b" } },
      ),
      edit({ extent: "whole", before: "a", after: "b" }),
    ],
    [
      "a new file with both texts",
      call(
        "write_file",
        { file_path: path, ai_proposed_content: "x" },
        { resultDisplay: { fileDiff: "", originalContent: "", newContent: "b", isNewFile: true } },
      ),
      edit({ extent: "whole", before: "", after: "b" }, "mixed"),
    ],
    [
      "an edit without arguments",
      call("replace", { file_path: path }),
      { kind: "unclear", path, why: "the call does not record what it changed" },
    ],
    ["a command", call("run_shell_command", { command: "ls" }), { kind: "shell" }],
    [
      "a failed edit",
      call("replace", { file_path: path, old_string: "a", new_string: "b" }, { status: "error" }),
      undefined,
    ],
    ["something else", call("glob", { pattern: "*" }), undefined],
    ["no path", call("write_file", { content: "x" }), undefined],
  ])("%s", (_, act, wanted) => {
    expect(act).toEqual(wanted);
  });
});
