// @module-tag slow
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ByteSource } from "../../../src/kernel/bytes.ts";
import { fileBytes } from "../../../src/kernel/bytes.ts";
import type { WantedFile } from "../../../src/kernel/json/ahead/ahead.ts";
import { ReadAhead } from "../../../src/kernel/json/ahead/ahead.ts";
import { walkDocument } from "../../../src/kernel/json/document.ts";
import { Fields } from "../../../src/kernel/json/fields.ts";
import { walkLines } from "../../../src/kernel/json/lines.ts";
import type { PartsAhead } from "../../../src/kernel/json/part.ts";
import type { JsonWalk } from "../../../src/kernel/json/walk.ts";
import { jsonWalk } from "../../../src/kernel/json/walk.ts";
import { bundledThread } from "../../bundled-thread.ts";
import { realLines } from "./real-lines.ts";

const LINE = new Fields(["id", "type", "message/id"]);
const ELEMENT = new Fields(["id"]);
const DOCUMENT = new Fields(["sessionId", "messages"], { messages: ELEMENT });

let script = "";
beforeAll(async () => {
  script = await bundledThread("src/kernel/json/ahead/thread.ts");
});

function theWalk(): JsonWalk {
  const walk = jsonWalk();
  if (!walk) throw new Error("This processor cannot run the walk.");
  return walk;
}

/** Everything that a visitor of lines sees; it stops at a line of type "stop". */
function linesIn(source: ByteSource): unknown[] {
  const seen: unknown[] = [];
  const isWhole = walkLines(theWalk(), { source, fields: LINE }, (line) => {
    const { number, start, end, state, isUtf8, row } = line;
    const type = state === "json" ? row.value(LINE.slot("type")) : state;
    const id = state === "json" ? row.value(LINE.slot("message/id")) : undefined;
    seen.push({ number, start, end, isUtf8, type, id, length: line.bytes.length });
    return type !== "stop";
  });
  return [...seen, isWhole];
}

function elementsIn(source: ByteSource, sizeBytes: number): unknown {
  return walkDocument(theWalk(), { source, sizeBytes, fields: DOCUMENT }, (document) => ({
    session: document.row.value(DOCUMENT.slot("sessionId")),
    ids: [...document.elements()].map((row) => [row.line, row.value(ELEMENT.slot("id"))]),
  }));
}

/** What is found in a file; undefined if reading it fails. */
function foundIn({ as, path, sizeBytes }: WantedFile, ahead?: ByteSource["ahead"]): unknown {
  const source = { ...fileBytes(path), ...(ahead && { ahead }) };
  try {
    return as === "lines" ? linesIn(source) : elementsIn(source, sizeBytes);
  } catch {
    // Some files do not exist.
    return undefined;
  }
}

/** A folder of files in which all is unusual that can be. */
function oddFiles(): WantedFile[] {
  const folder = mkdtempSync(join(tmpdir(), "pollux-ahead-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files: WantedFile[] = [];
  const add = (as: WantedFile["as"], content: string | Buffer): void => {
    const path = join(folder, `file-${files.length}`);
    writeFileSync(path, content);
    const fields = as === "lines" ? LINE : DOCUMENT;
    files.push({ path, sizeBytes: Buffer.byteLength(content), as, fields });
  };
  const lines = realLines().filter((line) => line.length < 20_000);
  const long = JSON.stringify({ type: "long", id: "a".repeat(3_000_000) });
  const list = lines.slice(0, 300).map((_line, at) => ({ id: at }));
  add("lines", lines.slice(0, 3000).join("\n"));
  add("lines", "");
  add("lines", "\n \n\n{}");
  add("lines", '{"type":1}\n{"type":\n[]\n\n');
  add(
    "lines",
    Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff]), Buffer.from('"}\n{}')]),
  );
  add("lines", `{"type":"first"}\n${long}\n{"type":"third"}\n${long}`);
  add("lines", `${lines.slice(0, 2000).join("\n")}\n{"type":"stop"}\n${lines.join("\n")}`);
  add("lines", "[\n".repeat(200_000));
  add("document", JSON.stringify({ sessionId: "s", messages: list }, null, 2));
  add("document", JSON.stringify({ sessionId: "t", messages: list }).slice(0, -1));
  add("document", JSON.stringify({ sessionId: long, messages: list }));
  add("document", '{"messages":[]} ');
  for (let at = 0; at < 40; at += 1) add("lines", lines.slice(at * 20, at * 20 + 20).join("\n"));
  files.splice(3, 0, { path: join(folder, "missing"), sizeBytes: 5, as: "lines", fields: LINE });
  files.splice(9, 0, { path: folder, sizeBytes: 5, as: "document", fields: DOCUMENT });
  return files;
}

function started(files: readonly WantedFile[], run = script): ReadAhead {
  const ahead = ReadAhead.start(run);
  if (!ahead) throw new Error("This processor cannot run the walk.");
  onTestFinished(() => ahead.close());
  ahead.read(files);
  return ahead;
}

describe("files that another thread reads ahead", () => {
  test("give what they give without it, whatever is unusual about them", () => {
    const files = oddFiles();
    const expected = files.map((file) => foundIn(file));
    const ahead = started(files);
    let parts = 0;
    const counted = (at: number): PartsAhead => {
      const own = ahead.file(at);
      const next = (): ReturnType<PartsAhead["next"]> => {
        const part = own.next();
        if (part && "memory" in part) parts += 1;
        return part;
      };
      return { next, close: () => own.close() };
    };
    const found = files.map((file, at) => foundIn(file, () => counted(at)));
    expect(found).toEqual(expected);
    expect(parts).toBeGreaterThan(files.length);
    expect(expected.filter((each) => each === undefined)).toHaveLength(3);
  });

  test("may be left out", () => {
    const files = oddFiles();
    const ahead = started(files);
    const wanted = [...files.entries()].filter(([at]) => at % 3 === 0);
    const found = wanted.map(([at, file]) => foundIn(file, () => ahead.file(at)));
    expect(found).toEqual(wanted.map(([, file]) => foundIn(file)));
  });

  test("may change after they were listed", () => {
    const files = oddFiles();
    for (const { path } of files.slice(-10)) appendFileSync(path, '\n{"type":"new"}');
    const document = files.findIndex(({ as, sizeBytes }) => as === "document" && sizeBytes > 5);
    appendFileSync(files[document]?.path ?? "", " ");
    const ahead = started(files);
    const found = files.map((file, at) => foundIn(file, () => ahead.file(at)));
    expect(found).toEqual(files.map((file) => foundIn(file)));
    expect(found[document]).toBeUndefined();
  });

  test("are read by this thread if the other one cannot start", () => {
    const files = oddFiles().slice(0, 2);
    const ahead = started(files, join(tmpdir(), "no-such-thread.mjs"));
    const found = files.map((file, at) => foundIn(file, () => ahead.file(at)));
    expect(found).toEqual(files.map((file) => foundIn(file)));
  }, 30_000);
});
