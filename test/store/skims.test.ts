import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Archive, SkimSum } from "../../src/store/archive.ts";
import { openArchive } from "../../src/store/sqlite/archive.ts";
import { loadDriver } from "../../src/store/sqlite/driver.ts";

let folder: string;
let archive: Archive;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pollux-skims-"));
  archive = openArchive(join(folder, "archive.db"), 1);
});

afterEach(() => {
  archive.close();
  rmSync(folder, { recursive: true, force: true });
});

function sum(look: string, replies: readonly number[] = []): SkimSum {
  const told = { sessionId: "s", format: "append-jsonl", generation: "0.44–0.61" } as const;
  return {
    look,
    ...told,
    replies: Float64Array.from(replies),
    text: JSON.stringify({ rows: ["a\tb\nc", look] }),
  };
}

describe("what was skimmed", () => {
  test("is found as it was put, whatever a path is called", () => {
    const replies = [0, 1, 0xffff_ffff_ffff, 0x1234_5678_9abc];
    const put = new Map([
      ["/a\tb\nc", sum("1 2 3", replies)],
      ['/"quoted"', sum("4 5 6")],
    ]);
    archive.skims.put("days", put);
    expect(archive.skims.find("days")).toEqual(put);
    expect(archive.skims.find("other")).toEqual(new Map());
  });

  test("of a file that has changed, the last is known, however often it changed", () => {
    archive.skims.put("days", new Map([["/still", sum("first")]]));
    for (let turn = 0; turn < 40; turn += 1) {
      archive.skims.put("days", new Map([["/grown", sum(`${turn}`)]]));
      const known = archive.skims.find("days");
      expect([...known].map(([path, { look }]) => [path, look])).toEqual([
        ["/still", "first"],
        ["/grown", `${turn}`],
      ]);
    }
    const { DatabaseSync } = loadDriver();
    const database = new DatabaseSync(join(folder, "archive.db"));
    const rows = database.prepare("SELECT number FROM skims").all();
    database.close();
    expect(rows.length).toBeLessThanOrEqual(16);
  });

  test("nothing can be put", () => {
    archive.skims.put("days", new Map());
    expect(archive.skims.find("days")).toEqual(new Map());
  });

  test("goes with its name", () => {
    archive.skims.put("days", new Map([["/a", sum("a")]]));
    archive.skims.put("others", new Map([["/b", sum("b")]]));
    expect(archive.skims.find("days").size).toBe(0);
    expect([...archive.skims.find("others").keys()]).toEqual(["/b"]);
    archive.skims.clear();
    expect(archive.skims.find("others").size).toBe(0);
  });
});
