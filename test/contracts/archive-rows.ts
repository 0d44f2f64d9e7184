import { describe, expect, test } from "vitest";
import type { TextPiece } from "../../src/core/text.ts";
import type { Maker } from "./archive.ts";
import { begin, clues, digestOf, keep, piece, putTexts, textOf } from "./archive-samples.ts";

/** The disposable half of a store. */
export function rowsContract(name: string, make: Maker): void {
  describe(`${name} puts rows`, () => {
    test("and gives back what was put", () => {
      const { archive, root } = begin(make.open());
      const digest = digestOf("s1", ["m1", "m2"]);
      const key = archive.rows.put({ digest, roots: [root.id], clues });
      const [stored] = archive.rows.sessions({ roots: [root.id] });
      expect(stored).toMatchObject({ key, id: "s1", rootId: root.id, clues, hasText: false });
      const { summary, session, usage, tools, agentCalls } = stored?.digest ?? digestOf("no", []);
      expect({ summary, session, usage, tools, agentCalls }).toEqual(digest);
    });

    test("once for each session and root", () => {
      const { archive, root } = begin(make.open());
      archive.rows.put({ digest: digestOf("s1", ["m1"]), roots: [root.id], clues });
      const again = digestOf("s1", ["m1", "m2"]);
      archive.rows.put({ digest: again, roots: [root.id], clues });
      const stored = archive.rows.sessions({ roots: [root.id] });
      expect(stored.map(({ digest }) => digest.usage.length)).toEqual([2]);
      archive.rows.drop("s1", root.id);
      expect(archive.rows.sessions({ roots: [root.id] })).toEqual([]);
    });

    test("and knows which sessions may share a reply", () => {
      const { archive, root } = begin(make.open());
      const put = (id: string, ids: string[]): number =>
        archive.rows.put({ digest: digestOf(id, ids), roots: [root.id], clues });
      const one = put("s1", ["m1", "m2"]);
      put("s2", ["m3"]);
      expect(archive.rows.sharing()).toEqual(new Set());
      const three = put("s3", ["m2"]);
      expect(archive.rows.sharing()).toEqual(new Set([one, three]));
    });

    test("a merged one until one of its parts changes", () => {
      const { archive, root } = begin(make.open());
      archive.rows.put({ digest: digestOf("s1", ["m1"]), roots: [root.id], clues });
      archive.rows.put({ digest: digestOf("s1", ["m1", "m2"]), roots: [root.id, 99], clues });
      expect(archive.rows.merged("s1", [root.id, 99])?.digest.usage).toHaveLength(2);
      expect(archive.rows.sessions({ roots: [root.id] })).toHaveLength(1);
      archive.rows.put({ digest: digestOf("s1", ["m1"]), roots: [root.id], clues });
      expect(archive.rows.merged("s1", [root.id, 99])).toBeUndefined();
    });

    test("remembers answers as long as the session is the same", () => {
      const { archive, root } = begin(make.open());
      const put = (): number =>
        archive.rows.put({ digest: digestOf("s1", ["m1"]), roots: [root.id], clues });
      const key = put();
      archive.memos.put("days", new Map([[key, "[1]"]]));
      expect(archive.memos.find("days", [key])).toEqual(new Map([[key, "[1]"]]));
      put();
      archive.memos.put("days", new Map([[key, "[2]"]]));
      expect(archive.memos.find("days", [key])).toEqual(new Map());
    });

    test("throws them away and still has the bytes", () => {
      const { archive, root } = begin(make.open());
      const file = keep(archive, root, { path: "a", text: "x" });
      archive.rows.put({ digest: digestOf("s1", ["m1"]), roots: [root.id], clues });
      archive.rows.clear();
      expect(archive.rows.sessions({ roots: [root.id] })).toEqual([]);
      expect(textOf(archive, file)).toBe("x");
    });
  });

  describe(`${name} finds text`, () => {
    test("by word, phrase and beginning, in the wished roles and sessions", () => {
      const { archive, root } = begin(make.open());
      const put = (id: string, pieces: TextPiece[]): number => {
        const key = archive.rows.put({ digest: digestOf(id, []), roots: [root.id], clues });
        putTexts(archive, key, pieces);
        return key;
      };
      const one = put("s1", [piece("prompt", "Rotate the refresh token"), piece("tool", "token")]);
      const two = put("s2", [piece("answer", "a token to refresh")]);
      const find = (text: string, more: object = {}): number[] =>
        archive.texts
          .find({ query: { kind: "phrase", text, isPrefix: false }, limit: 10, ...more })
          .hits.map(({ session }) => session)
          .toSorted((a, b) => a - b);
      expect(find("token")).toEqual([one, one, two]);
      expect(find("refresh token")).toEqual([one]);
      expect(find("token", { roles: ["tool"] })).toEqual([one]);
      expect(find("token", { sessions: new Set([two]) })).toEqual([two]);
      expect(find("tok")).toEqual([]);
      const begun = { query: { kind: "phrase", text: "tok", isPrefix: true } };
      expect(find("", begun)).toEqual([one, one, two]);
      put("s1", []);
      expect(find("token")).toEqual([two]);
    });
  });
}
