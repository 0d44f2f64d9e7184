import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionFile } from "../../src/core/files/session-file.ts";
import type { BytesRead } from "../../src/ingest/read-bytes.ts";
import { readBytes, FileKeepsChangingError } from "../../src/ingest/read-bytes.ts";
import { NotAFileError } from "../../src/kernel/open-file.ts";
import type { KnownFile } from "../../src/core/files/kept.ts";
import { NOW_MS, newRoot, sha256 } from "./test-home.ts";

const LATER = { clock: () => NOW_MS, inMemoryBytes: 1 << 20 };
/** Every file is above the in-memory limit. */
const PIECEWISE = { clock: () => NOW_MS, inMemoryBytes: 100 };

function fileAt(path: string): SessionFile {
  const { size, mtimeMs, ino } = statSync(path);
  const found = { path, root: "/", role: "main", folder: "x", isCleaned: true } as const;
  return { ...found, sizeBytes: size, modifiedMs: mtimeMs, inode: ino };
}

function knownAs(file: SessionFile, bytes: Buffer): KnownFile {
  const kept = { id: 1, rootId: 1, content: 2, digest: sha256(bytes), isSettled: true };
  const seen = { firstSeenMs: 0, lastSeenMs: 0, keys: [], sessionIds: [] };
  return { ...file, ...kept, ...seen, sizeBytes: bytes.length };
}

function newBytes({ content }: BytesRead): string {
  if (!content) return "";
  return Buffer.concat(Array.from(content.pieces, (piece) => Buffer.from(piece))).toString("utf8");
}

function written(text: string): string {
  const path = join(newRoot(), "session.jsonl");
  writeFileSync(path, text);
  return path;
}

const LINES = Array.from({ length: 200 }, (_, at) => `{"line":${at},"text":"${"x".repeat(40)}"}\n`);
const TEXT = LINES.join("");

describe.each([
  ["in memory", LATER],
  ["piece by piece", PIECEWISE],
])("readBytes, %s,", (_, options) => {
  test("returns the whole content of a new file", () => {
    const read = readBytes({ rootId: 1, file: fileAt(written(TEXT)) }, options);
    expect(read.content).toMatchObject({ how: "whole", digest: sha256(Buffer.from(TEXT)) });
    expect(newBytes(read)).toBe(TEXT);
    expect(read.isSettled).toBe(true);
  });

  test("returns the appended bytes of a grown file, with the digest of the whole", () => {
    const path = written(TEXT);
    const known = knownAs(fileAt(path), Buffer.from(TEXT));
    appendFileSync(path, "more\n");
    const read = readBytes({ rootId: 1, file: fileAt(path), known }, options);
    expect(read.content).toMatchObject({
      how: "appended",
      sizeBytes: TEXT.length + 5,
      digest: sha256(Buffer.from(`${TEXT}more\n`)),
    });
    expect(newBytes(read)).toBe("more\n");
  });

  test("returns the whole content of a file that was overwritten and then grew", () => {
    const path = written(TEXT);
    const known = knownAs(fileAt(path), Buffer.from(TEXT));
    const descriptor = openSync(path, "r+");
    writeSync(descriptor, "REDACTED", 5000);
    closeSync(descriptor);
    appendFileSync(path, "more\n");
    const read = readBytes({ rootId: 1, file: fileAt(path), known }, options);
    expect(read.content?.how).toBe("whole");
    expect(newBytes(read)).toContain("REDACTED");
  });

  test("returns no content for an unchanged file", () => {
    const path = written(TEXT);
    const known = knownAs(fileAt(path), Buffer.from(TEXT));
    utimesSync(path, 5, 5);
    const read = readBytes({ rootId: 1, file: fileAt(path), known }, options);
    expect(read.content).toBeUndefined();
    expect(read.file.modifiedMs).toBe(5000);
  });

  test("returns the whole content of a file that shrank", () => {
    const path = written(TEXT);
    const known = knownAs(fileAt(path), Buffer.from(TEXT));
    writeFileSync(path, LINES.slice(0, 100).join(""));
    const read = readBytes({ rootId: 1, file: fileAt(path), known }, options);
    expect(read.content?.how).toBe("whole");
    expect(newBytes(read)).toBe(LINES.slice(0, 100).join(""));
  });

  test("compares byte by byte when no digest is known", () => {
    const path = written(TEXT);
    const { digest: _unknown, ...known } = knownAs(fileAt(path), Buffer.from(TEXT));
    appendFileSync(path, "more\n");
    const kept = {
      path,
      *chunks() {
        yield Buffer.from(TEXT);
      },
      range: (start: number, end: number) => Buffer.from(TEXT).subarray(start, end),
      fill: () => 0,
    };
    const read = readBytes({ rootId: 1, file: fileAt(path), known }, { ...options, kept });
    expect(read.content?.how).toBe("appended");
  });
});

describe("a file that changes while it is read", () => {
  /** Changes the file whenever the clock is called, which is before each read. */
  function changing(change: (path: string) => void): () => BytesRead {
    const path = written(TEXT);
    const file = fileAt(path);
    let isReading = false;
    const clock = (): number => {
      // After the first stat: the file changes between stat and read.
      if (isReading) change(path);
      isReading = true;
      return NOW_MS;
    };
    return () => readBytes({ rootId: 1, file }, { ...LATER, clock });
  }

  test("is returned in one of its states", () => {
    const path = written(TEXT);
    const file = fileAt(path);
    let isFirst = true;
    const clock = (): number => {
      if (isFirst) appendFileSync(path, "more\n");
      isFirst = false;
      return NOW_MS;
    };
    const read = readBytes({ rootId: 1, file }, { ...LATER, clock });
    // The bytes read are a prefix of the file, which is not settled and is read again.
    expect(`${TEXT}more\n`.startsWith(newBytes(read))).toBe(true);
    expect(read.content?.digest).toBe(sha256(Buffer.from(newBytes(read))));
    expect(read.isSettled && newBytes(read) === TEXT).toBe(false);
  });

  test("is read in one of its states even if it is replaced each time", () => {
    const read = changing((path) => {
      writeFileSync(`${path}.new`, TEXT.toUpperCase());
      renameSync(`${path}.new`, path);
    })();
    expect([TEXT, TEXT.toUpperCase()]).toContain(newBytes(read));
  });

  test("throws if it changes between its two reads", () => {
    const path = written(TEXT);
    const read = readBytes({ rootId: 1, file: fileAt(path) }, PIECEWISE);
    const descriptor = openSync(path, "r+");
    writeSync(descriptor, "REDACTED", 5000);
    closeSync(descriptor);
    expect(() => newBytes(read)).toThrow(FileKeepsChangingError);
  });

  test("is not settled if it changed just now", () => {
    const path = written(TEXT);
    const clock = (): number => statSync(path).mtimeMs + 1;
    const read = readBytes({ rootId: 1, file: fileAt(path) }, { ...LATER, clock });
    expect(read.isSettled).toBe(false);
    expect(newBytes(read)).toBe(TEXT);
  });
});

describe("a path that is not a file", () => {
  test.skipIf(process.platform === "win32")("is not opened: a pipe, which would block", () => {
    const path = join(newRoot(), "pipe.jsonl");
    execFileSync("mkfifo", [path]);
    expect(() => readBytes({ rootId: 1, file: fileAt(path) }, LATER)).toThrow(NotAFileError);
  });

  test("is not opened: a folder", () => {
    const file = fileAt(newRoot());
    expect(() => readBytes({ rootId: 1, file }, LATER)).toThrow(NotAFileError);
  });

  test("reading leaves no file open", () => {
    const path = written(TEXT);
    const before = openSync(path, "r");
    closeSync(before);
    for (let times = 0; times < 5; times += 1) {
      readBytes({ rootId: 1, file: fileAt(path) }, LATER);
    }
    const after = openSync(path, "r");
    expect(fstatSync(after).isFile()).toBe(true);
    closeSync(after);
    expect(after).toBe(before);
  });
});
