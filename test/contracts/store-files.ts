import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KnownFile } from "../../src/core/files/kept.ts";
import type { FileReading, Store } from "../../src/store/store.ts";
import { begin, changeOf, fileAt, keep, NOTHING, textOf } from "./kept-samples.ts";
import { sessionRows, sessionWork, SOURCE, textPiece } from "./store-samples.ts";

/** Tests of bytes, versions, readings and forgotten files that every store must pass. */
export function filesContract(name: string, open: () => Promise<Store>): void {
  bytesContract(name, open);
  readingsContract(name, open);
}

function bytesContract(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps bytes`, () => {
    test("and returns them", async () => {
      const store = await open();
      const root = await begin(store);
      const kept = await keep(store, root, { path: "a.jsonl", text: "one\ntwo\n" });
      expect(await textOf(store, kept)).toBe("one\ntwo\n");
      const bytes = await store.bytes(kept);
      expect(bytes.range(4, 6).toString()).toBe("tw");
      expect(bytes.range(4, 999).toString()).toBe("two\n");
      const head = Buffer.alloc(5);
      expect([bytes.fill(head), head.toString()]).toEqual([5, "one\nt"]);
      expect(await store.known({})).toEqual([kept]);
    });

    test("in any order of appends and replacements", async () => {
      const step = fc.record({
        how: fc.constantFrom("appended" as const, "whole" as const),
        text: fc.string({ unit: "binary", maxLength: 40 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          const store = await open();
          const root = await begin(store);
          const states: string[] = [];
          let known: KnownFile | undefined;
          for (const { how, text } of steps) {
            const isGrowing = known !== undefined && how === "appended";
            const whole = isGrowing ? (states.at(-1) ?? "") + text : text;
            const sample = { path: "a", text: whole, how: isGrowing ? how : ("whole" as const) };
            known = await keep(store, root, { ...sample, ...(known ? { known } : {}) });
            states.push(whole);
          }
          const versions = await store.versions(known?.id ?? 0);
          const kept = versions.map((state) => textOf(store, { path: "a", ...state }));
          expect(await Promise.all(kept)).toEqual(
            states.map((text) => Buffer.from(text).toString()),
          );
          expect((await store.care.verify(() => undefined)).problems).toEqual([]);
          const bytes = Buffer.byteLength(states.join(""));
          expect(await store.care.originalBytes()).toBe(bytes);
          await store.close();
        }),
        { numRuns: 15 },
      );
    });

    test("and rejects changes based on an outdated state", async () => {
      const store = await open();
      const root = await begin(store);
      const first = await keep(store, root, { path: "a", text: "one\n" });
      const grown = { path: "a", text: "one\ntwo\n", known: first, how: "appended" } as const;
      const second = await keep(store, root, grown);
      const late = [
        changeOf(root, grown),
        changeOf(root, { path: "a", text: "x" }),
        { kind: "gone", known: first } as const,
        { kind: "touched", known: first, file: fileAt(root, "a", 4), isSettled: true } as const,
      ];
      for (const change of late) {
        const other = changeOf(root, { path: "b", text: "not stored either" });
        expect(await store.commit({ ...NOTHING, files: [other, change] })).toBe("outdated");
      }
      expect(await store.known({})).toEqual([second]);
      expect(await textOf(store, second)).toBe("one\ntwo\n");
    });

    test("and stores nothing of a batch whose bytes end with an error", async () => {
      const store = await open();
      const root = await begin(store);
      const change = changeOf(root, { path: "a", text: "whole" });
      if (change.kind !== "content") throw new RangeError("This is no content.");
      const content = { ...change.content, pieces: changing() };
      const sessions = [sessionRows("s1", {})];
      const batch = { ...NOTHING, sessions, files: [{ ...change, content }] };
      await expect(store.commit(batch)).rejects.toThrow("It changed.");
      expect(await store.known({})).toEqual([]);
      expect((await store.sessions({ scope: "own", filter: {}, sort: "newest" })).total).toBe(0);
    });

    test("and marks files as gone until they are back", async () => {
      const store = await open();
      const root = await begin(store);
      const file = await keep(store, root, { path: "s1.jsonl", text: "x" });
      await store.commit({ ...NOTHING, sessions: [sessionRows("s1", {})] });
      const goneSince = async (): Promise<unknown> => {
        const page = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
        return page.items.map(({ summary }) => summary.goneSince);
      };
      await store.commit({ ...NOTHING, nowMs: 5000, files: [{ kind: "gone", known: file }] });
      expect(await store.known({})).toMatchObject([{ goneSinceMs: 5000 }]);
      expect(await goneSince()).toEqual([new Date(5000).toISOString()]);
      expect((await store.coverage({ scope: "own" })).goneSessions).toBe(1);
      const back = { kind: "touched", known: file, file, isSettled: true } as const;
      await store.commit({ ...NOTHING, nowMs: 6000, files: [back] });
      expect(await store.known({})).toEqual([{ ...file, lastSeenMs: 6000 }]);
      expect(await goneSince()).toEqual([null]);
    });
  });
}

function* changing(): Generator<Uint8Array> {
  yield Buffer.from("who");
  throw new RangeError("It changed.");
}

function readingOf(rootId: number, file: KnownFile, more: Partial<FileReading> = {}): FileReading {
  const how = { format: "lines", generation: "1", isRead: true, diagnostics: [] };
  return { rootId, path: file.path, keys: ["k1"], sessionIds: ["s1"], ...how, ...more };
}

function readingsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name} records what was read`, () => {
    test("of each file, until the file changes", async () => {
      const store = await open();
      const root = await begin(store);
      const file = await keep(store, root, { path: "a", text: "one\n" });
      expect(await store.unread()).toEqual([file.id]);
      const diagnostic = { code: "bad-line", severity: "damage", message: "?", file: file.path };
      const reading = readingOf(root.id, file, {
        diagnostics: [{ ...diagnostic, code: "bad-line", severity: "damage" }],
      });
      await store.commit({ ...NOTHING, readings: [reading] });
      expect(await store.unread()).toEqual([]);
      const [read] = await store.known({ keys: ["k1", "k2"] });
      expect(read).toMatchObject({ id: file.id, keys: ["k1"], sessionIds: ["s1"] });
      expect(await store.known({ keys: ["k2"] })).toEqual([]);
      expect((await store.coverage({ scope: "own" })).diagnostics).toEqual([diagnostic]);
      const grown = { path: "a", text: "one\ntwo\n", known: file, how: "appended" } as const;
      await keep(store, root, grown);
      expect(await store.unread()).toEqual([file.id]);
    });

    test("of a replaced content, like that of a separate file", async () => {
      const store = await open();
      const root = await begin(store);
      const first = await keep(store, root, { path: "a", text: "long content" });
      const replaced = { path: "a", text: "short", known: first, nowMs: 2000 };
      const second = await keep(store, root, replaced);
      expect(new Set(await store.unread())).toEqual(new Set([-first.content, second.id]));
      const readings = [
        readingOf(root.id, second),
        readingOf(root.id, second, { content: first.content, sessionIds: ["s0"] }),
      ];
      await store.commit({ ...NOTHING, readings });
      expect(await store.unread()).toEqual([]);
      expect(await store.known({})).toMatchObject([{ id: second.id, sessionIds: ["s1"] }]);
      const [before] = await store.known({ ids: [-first.content] });
      const expected = { replaced: { path: first.path }, goneSinceMs: 2000, sessionIds: ["s0"] };
      expect(before).toMatchObject(expected);
      expect(before && (await textOf(store, before))).toBe("long content");
      expect(await store.known({ replaced: "with", paths: [first.path] })).toHaveLength(2);
      expect(await store.versions(-first.content)).toHaveLength(2);
    });

    test("and forgets files and sessions permanently", async () => {
      const store = await open();
      const root = await begin(store);
      const file = await keep(store, root, { path: "a", text: "secret" });
      const other = await keep(store, root, { path: "b", text: "other" });
      await store.commit({ ...NOTHING, sessions: [sessionRows("s1", {}), sessionRows("s2", {})] });
      const texts = ["s1", "s2"].map((id) => {
        return { source: SOURCE, id, pieces: [textPiece(`of ${id}`, `secret ${id}`)] };
      });
      await store.indexTexts(texts);
      const sessions = [{ source: SOURCE, id: "s1" }];
      await store.forget({ files: [file.id], sessions, paths: [file.path], nowMs: 1 });
      expect((await store.known({})).map(({ id }) => id)).toEqual([other.id]);
      const expression = { kind: "phrase", text: "secret", isPrefix: false } as const;
      const found = await store.search({ scope: "own", expression, filter: {}, limit: 9 });
      expect(found.hits.map(({ sessionId }) => sessionId)).toEqual(["s2"]);
      const forgotten = await store.forgotten();
      expect(
        forgotten.hasSession({ source: SOURCE, id: "s1" }) && forgotten.hasFile(file.path),
      ).toBe(true);
      expect(forgotten.hasSession({ source: SOURCE, id: "s2" })).toBe(false);
      expect(forgotten.hasSession({ source: "another", id: "s1" })).toBe(false);
      expect((await store.care.verify(() => undefined)).problems).toEqual([]);
    });

    test("and finds the last texts of a session that is indexed twice at once", async () => {
      const store = await open();
      await store.commit({ ...NOTHING, sessions: [sessionRows("s1", {})] });
      const texts = ["former", "latter"].map((text) => {
        return { source: SOURCE, id: "s1", pieces: [textPiece("m1", text)] };
      });
      await store.indexTexts(texts);
      const found = async (text: string): Promise<number> => {
        const expression = { kind: "phrase", text, isPrefix: false } as const;
        return (await store.search({ scope: "own", expression, filter: {}, limit: 9 })).total;
      };
      expect(await found("former")).toBe(0);
      expect(await found("latter")).toBe(1);
    });

    test("and requests texts until those of the newest rows are indexed", async () => {
      const store = await open();
      const rows = sessionRows("s1", {});
      await store.commit({ ...NOTHING, sessions: [rows] });
      const [request] = await store.withoutTexts();
      expect(request).toMatchObject({ source: SOURCE, id: "s1" });
      await store.commit({ ...NOTHING, sessions: [rows] });
      const pieces = [textPiece("m1", "some words")];
      const revision = request?.revision ?? 0;
      const workOf = async (): Promise<unknown> => (await store.work(["s1"]))[0]?.work;
      const work = sessionWork({ replies: "0" });
      await store.indexTexts([{ source: SOURCE, id: "s1", revision, pieces, work }]);
      expect(await workOf()).toBeNull();
      const [again] = await store.withoutTexts();
      expect(again?.revision).not.toBe(revision);
      await store.indexTexts([{ source: SOURCE, id: "s1", pieces, work, ...again }]);
      expect(await store.withoutTexts()).toEqual([]);
      expect(await workOf()).toEqual(work);
      await store.commit({ ...NOTHING, sessions: [rows] });
      expect(await workOf()).toBeNull();
      await store.care.clearDerived();
      expect((await store.sessions({ scope: "own", filter: {}, sort: "newest" })).total).toBe(0);
    });
  });
}
