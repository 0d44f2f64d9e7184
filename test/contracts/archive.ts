import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Archive } from "../../src/store/archive.ts";
import type { KeptFile } from "../../src/core/kept.ts";
import { careContract } from "./archive-care.ts";
import { rowsContract } from "./archive-rows.ts";
import { begin, content, fileAt, keep, random, readingOf, textOf } from "./archive-samples.ts";

export interface Maker {
  /** An empty archive. */
  open: () => Archive;
  /** A folder for other files. */
  aside: () => string;
}

/** What every store has to do, whatever it is made of. */
export function archiveContract(name: string, make: Maker): void {
  bytesContract(name, make);
  rowsContract(name, make);
  careContract(name, make);
}

function bytesContract(name: string, make: Maker): void {
  describe(`${name} keeps bytes`, () => {
    test("and gives them back", () => {
      const { archive, root } = begin(make.open());
      const kept = keep(archive, root, { path: "a.jsonl", text: "one\ntwo\n" });
      expect(textOf(archive, kept)).toBe("one\ntwo\n");
      expect(archive.files.bytes(kept).range(4, 6).toString()).toBe("tw");
      expect(archive.files.bytes(kept).range(4, 999).toString()).toBe("two\n");
      expect(archive.files.files(root)).toEqual([kept]);
    });

    test("stores only what is new when a file grows", () => {
      const { archive, root } = begin(make.open());
      const head = random(300_000);
      const first = keep(archive, root, { path: "a.jsonl", text: head });
      const before = archive.care.stats();
      const second = keep(archive, root, {
        path: "a.jsonl",
        text: "more\n",
        known: first,
        how: "appended",
      });
      const after = archive.care.stats();
      expect(after.distinctBytes - before.distinctBytes).toBe(5);
      expect(second.stream).toBe(first.stream);
      expect(textOf(archive, second)).toBe(`${head}more\n`);
      // The state before is still there.
      const [old] = archive.files.versions(second);
      expect(old && textOf(archive, { ...second, ...old })).toBe(head);
    });

    test("keeps the old content of a file that was replaced", () => {
      const { archive, root } = begin(make.open());
      const first = keep(archive, root, { path: "a.json", text: "long content" });
      const second = keep(archive, root, { path: "a.json", text: "short", known: first });
      expect(textOf(archive, second)).toBe("short");
      const texts = archive.files
        .versions(second)
        .map((one) => textOf(archive, { ...second, ...one }));
      expect(texts).toEqual(["long content", "short"]);
    });

    test("tells a content that was replaced as a file of its own", () => {
      const { archive, root } = begin(make.open());
      const first = keep(archive, root, { path: "a.json", text: "long content" });
      keep(archive, root, { path: "a.json", text: "short", known: first });
      expect(archive.rows.unread(root.id)).toContain(-first.stream);
      archive.rows.putReading(readingOf(-first.stream, { stream: first.stream, sessionId: "s1" }));
      expect(archive.rows.unread(root.id)).not.toContain(-first.stream);
      expect(archive.rows.replaced(root.id)).toEqual([-first.stream]);
      expect(archive.rows.filesOf("s1", root.id)).toEqual([-first.stream]);
      const [before] = archive.files.replaced(root, archive.rows.replaced(root.id));
      expect(before).toMatchObject({ replaced: { path: first.path }, goneSinceMs: 2000 });
      expect(before && textOf(archive, before)).toBe("long content");
      expect(archive.files.file(-first.stream)).toEqual(before);
      expect(archive.files.versions({ id: -first.stream })).toHaveLength(2);
    });

    test("stores equal contents once", () => {
      const { archive, root } = begin(make.open());
      const text = random(600_000);
      keep(archive, root, { path: "hash/a.json", text });
      const before = archive.care.stats();
      keep(archive, root, { path: "slug/a.json", text });
      const after = archive.care.stats();
      expect(after.storedBytes).toBe(before.storedBytes);
      expect(after.files.total).toBe(2);
    });

    test("leaves alone what another process has kept meanwhile", () => {
      const { archive, root } = begin(make.open());
      const first = keep(archive, root, { path: "a.jsonl", text: "one\n" });
      keep(archive, root, { path: "a.jsonl", text: "two\n", known: first, how: "appended" });
      const late = content(archive, "two\n", { known: first, how: "appended" });
      expect(archive.files.keep(root, fileAt(root, "a.jsonl", 8), late)).toBeUndefined();
      const lateNew = content(archive, "x", {});
      expect(archive.files.keep(root, fileAt(root, "a.jsonl", 1), lateNew)).toBeUndefined();
      expect(archive.files.files(root).map((file) => textOf(archive, file))).toEqual([
        "one\ntwo\n",
      ]);
    });

    test("in any order of growing and replacing", () => {
      const step = fc.record({
        how: fc.constantFrom("appended", "whole"),
        text: fc.string({ unit: "binary", maxLength: 40 }),
      });
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
          const { archive, root } = begin(make.open());
          const states: string[] = [];
          let known: KeptFile | undefined;
          for (const { how, text } of steps) {
            const isGrowing = known !== undefined && how === "appended";
            known = keep(archive, root, {
              path: "a",
              text,
              ...(known ? { known } : {}),
              how: isGrowing ? "appended" : "whole",
            });
            states.push(isGrowing ? (states.at(-1) ?? "") + text : text);
          }
          const last = known;
          const versions = last ? archive.files.versions(last) : [];
          const kept = versions.map((one) => last && textOf(archive, { ...last, ...one }));
          expect(kept).toEqual(states.map((text) => Buffer.from(text).toString()));
          expect(archive.care.verify(() => undefined).problems).toEqual([]);
        }),
        { numRuns: 30 },
      );
    });

    test("all of it or nothing", () => {
      const { archive, root } = begin(make.open());
      expect(() =>
        archive.write(() => {
          keep(archive, root, { path: "a", text: "x" });
          throw new RangeError("stop");
        }),
      ).toThrow("stop");
      expect(archive.files.files(root)).toEqual([]);
      keep(archive, root, { path: "a", text: "x" });
      expect(archive.files.files(root)).toHaveLength(1);
    });

    test("and says what is gone from the disk, until it is back", () => {
      const { archive, root } = begin(make.open());
      const file = keep(archive, root, { path: "a", text: "x" });
      archive.files.markGone([file.id], 5000);
      archive.files.markGone([file.id], 9000);
      expect(archive.files.gone([root])).toEqual(new Map([[file.path, 5000]]));
      archive.files.restamp(root, file, { known: file, isSettled: true, nowMs: 9500 });
      expect(archive.files.gone([root]).size).toBe(0);
    });
  });
}
