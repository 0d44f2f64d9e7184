import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Maker } from "./archive.ts";
import {
  begin,
  clues,
  digestOf,
  keep,
  piece,
  putTexts,
  readingOf,
  rootLike,
  textOf,
} from "./archive-samples.ts";

/** Looking after a store: moving, checking, packing, forgetting. */
export function careContract(name: string, make: Maker): void {
  describe(`${name} is looked after`, () => {
    test("moves to a file of its own and back, without doubles", () => {
      const { archive, root } = begin(make.open());
      const first = keep(archive, root, { path: "a.jsonl", text: "one\n" });
      const file = join(make.aside(), "moved.pollux");
      archive.care.exportTo(file);
      expect(() => archive.care.exportTo(file)).toThrow(/there already/);
      const second = keep(archive, root, {
        path: "a.jsonl",
        text: "two\n",
        known: first,
        how: "appended",
      });
      expect(archive.care.importFrom(file, 1).bytes).toBe(0);
      expect(textOf(archive, second)).toBe("one\ntwo\n");
      expect(archive.files.versions(second)).toHaveLength(2);
      const other = make.open();
      other.care.importFrom(file, 1);
      const newer = join(make.aside(), "newer.pollux");
      archive.care.exportTo(newer);
      expect(other.care.importFrom(newer, 2)).toMatchObject({ files: 0, versions: 1, bytes: 4 });
      const [there] = other.files.files(rootLike(other, root));
      expect(there && textOf(other, there)).toBe("one\ntwo\n");
      expect(other.care.verify(() => undefined).problems).toEqual([]);
    });

    test("keeps both contents where two archives part", () => {
      const { archive, root } = begin(make.open());
      const first = keep(archive, root, { path: "a", text: "same, then here" });
      const file = join(make.aside(), "here.pollux");
      archive.care.exportTo(file);
      const other = make.open();
      other.care.importFrom(file, 1);
      const twin = rootLike(other, root);
      const [known] = other.files.files(twin);
      keep(other, twin, { path: "a", text: "same, then there", ...(known ? { known } : {}) });
      const back = join(make.aside(), "there.pollux");
      other.care.exportTo(back);
      archive.care.importFrom(back, 2);
      const versions = archive.files.versions(first);
      const texts = versions.map((one) => textOf(archive, { ...first, ...one }));
      expect(texts.toSorted()).toEqual(["same, then here", "same, then there"]);
    });

    test("becomes smaller without losing a byte", () => {
      const { archive, root } = begin(make.open());
      let known = keep(archive, root, { path: "a", text: "line 0\n" });
      let text = "line 0\n";
      for (let n = 1; n < 50; n += 1) {
        known = keep(archive, root, { path: "a", text: `line ${n}\n`, known, how: "appended" });
        text += `line ${n}\n`;
      }
      const before = archive.care.stats();
      archive.care.compact(() => undefined);
      const after = archive.care.stats();
      expect(before.chunks).toBe(50);
      expect(after.chunks).toBe(1);
      expect(after.storedBytes).toBeLessThan(before.storedBytes);
      expect(archive.files.versions(known)).toHaveLength(50);
      expect(textOf(archive, known)).toBe(text);
      expect(archive.care.verify(() => undefined).problems).toEqual([]);
    });

    test("forgets a content without those of others in the same place", () => {
      const { archive, root } = begin(make.open());
      const first = keep(archive, root, { path: "a", text: "mine" });
      const second = keep(archive, root, { path: "a", text: "yours", known: first });
      const third = keep(archive, root, { path: "a", text: "theirs", known: second });
      for (const { stream, id } of [first, second]) {
        archive.rows.putReading(readingOf(-stream, { stream, sessionId: `of ${id}` }));
      }
      archive.care.forget({ files: [third.id], sessions: [], paths: [], nowMs: 9 });
      const [left] = archive.files.files(root);
      expect(left && textOf(archive, left)).toBe("yours");
      expect(left).toMatchObject({ goneSinceMs: 9 });
      archive.care.forget({ files: [-first.stream], sessions: [], paths: [], nowMs: 9 });
      expect(archive.files.versions(third)).toHaveLength(1);
      expect(archive.care.verify(() => undefined).problems).toEqual([]);
    });

    test("forgets for good what is not to come back", () => {
      const { archive, root } = begin(make.open());
      const file = keep(archive, root, { path: "a", text: "secret" });
      const other = keep(archive, root, { path: "b", text: "other" });
      const key = archive.rows.put({ digest: digestOf("s1", ["m1"]), roots: [root.id], clues });
      putTexts(archive, key, [piece("prompt", "secret")]);
      archive.care.forget({ files: [file.id], sessions: ["s1"], paths: [file.path], nowMs: 1 });
      expect(archive.files.files(root).map(({ id }) => id)).toEqual([other.id]);
      expect(archive.care.stats()).toMatchObject({ chunks: 1, versions: 1, sessions: 0, texts: 0 });
      const forgotten = archive.files.forgotten();
      expect(forgotten.has("session", "s1") && forgotten.has("file", file.path)).toBe(true);
      expect(archive.care.verify(() => undefined).problems).toEqual([]);
    });
  });
}
