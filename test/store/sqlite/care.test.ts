import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { KnownFile } from "../../../src/core/files/kept.ts";
import type { Driver } from "../../../src/store/sqlite/driver.ts";
import { textsPath } from "../../../src/store/sqlite/texts/text-database.ts";
import type { Store } from "../../../src/store/store.ts";
import { begin, keep, NOTHING, textOf } from "../../contracts/kept-samples.ts";
import { sessionRows, SOURCE, textPiece } from "../../contracts/store-samples.ts";
import { archiveAt, folder } from "../temporary-archives.ts";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as Driver;

async function problemsOf(store: Store): Promise<unknown[]> {
  return (await store.care.verify(() => undefined)).problems;
}

/** All known files of a store. */
async function filesIn(store: Store): Promise<KnownFile[]> {
  return store.known({});
}

describe("maintaining an archive", () => {
  test("exports to a file and imports from it without duplicates", async () => {
    const store = await archiveAt();
    const root = await begin(store);
    const first = await keep(store, root, { path: "a", text: "one\n" });
    const file = join(folder(), "moved.pollux");
    await store.care.exportTo(file);
    await expect(store.care.exportTo(file)).rejects.toThrow(/already exists/);
    const grown = { path: "a", text: "one\ntwo\n", known: first, how: "appended" } as const;
    const second = await keep(store, root, grown);
    expect((await store.care.importFrom(file, 1)).bytes).toBe(0);
    expect(await textOf(store, second)).toBe("one\ntwo\n");
    expect(await store.versions(second.id)).toHaveLength(2);
    const other = await archiveAt();
    await other.care.importFrom(file, 1);
    const newer = join(folder(), "newer.pollux");
    await store.care.exportTo(newer);
    const report = await other.care.importFrom(newer, 2);
    expect(report).toMatchObject({ files: 0, versions: 1, bytes: 4 });
    const [there] = await filesIn(other);
    expect(there && (await textOf(other, there))).toBe("one\ntwo\n");
    expect(there?.digest).toBe(second.digest);
    expect(await problemsOf(other)).toEqual([]);
  });

  test("imports annotations, and the later change wins", async () => {
    const [store, other] = [await archiveAt(), await archiveAt()];
    const on = { source: SOURCE, sessionId: "first", how: "set" } as const;
    await store.annotate([{ ...on, kind: "note", text: "here, later" }], 5);
    await store.annotate([{ ...on, kind: "tag", text: "both", how: "removed" }], 5);
    await other.annotate([{ ...on, kind: "note", text: "there, before" }], 4);
    await other.annotate([{ ...on, kind: "tag", text: "both" }], 4);
    await other.annotate([{ ...on, kind: "star", text: "" }], 4);
    const file = join(folder(), "moved.pollux");
    await store.care.exportTo(file);
    await other.care.importFrom(file, 6);
    const kept = await other.annotations({});
    expect(kept.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["note here, later", "star "]);
  });

  test("keeps both contents if two archives diverge", async () => {
    const store = await archiveAt();
    const root = await begin(store);
    const first = await keep(store, root, { path: "a", text: "same, then here" });
    const file = join(folder(), "here.pollux");
    await store.care.exportTo(file);
    const other = await archiveAt();
    await other.care.importFrom(file, 1);
    const [twin] = await other.roots();
    const [known] = await filesIn(other);
    if (!twin || !known) throw new RangeError("Nothing was moved.");
    await keep(other, twin, { path: "a", text: "same, then there", known });
    const back = join(folder(), "there.pollux");
    await other.care.exportTo(back);
    await store.care.importFrom(back, 2);
    const versions = await store.versions(first.id);
    const texts = await Promise.all(versions.map((state) => textOf(store, { ...first, ...state })));
    expect(texts.toSorted()).toEqual(["same, then here", "same, then there"]);
    expect(await problemsOf(store)).toEqual([]);
  });

  test("compacts without losing a byte", async () => {
    const store = await archiveAt();
    const root = await begin(store);
    let text = "line 0\n";
    let known = await keep(store, root, { path: "a", text });
    for (let n = 1; n < 50; n += 1) {
      text += `line ${n}\n`;
      known = await keep(store, root, { path: "a", text, known, how: "appended" });
    }
    const before = await store.care.stats();
    await store.care.compact(() => undefined);
    const after = await store.care.stats();
    expect([before.chunks, after.chunks]).toEqual([50, 1]);
    expect(after.storedBytes).toBeLessThan(before.storedBytes);
    expect(await store.versions(known.id)).toHaveLength(50);
    expect(await textOf(store, known)).toBe(text);
    expect(await problemsOf(store)).toEqual([]);
  });

  test("verify reports content that does not match its digest", async () => {
    const path = join(folder(), "archive.db");
    const store = await archiveAt(path);
    const root = await begin(store);
    await keep(store, root, { path: "a", text: "the first" });
    const known = await keep(store, root, { path: "b", text: "the other" });
    await store.close();
    // Every chunk is intact but belongs to the wrong file.
    const database = new DatabaseSync(path);
    database.exec("UPDATE pieces SET chunk = 3 - chunk");
    database.close();
    const problems = await problemsOf(await archiveAt(path));
    expect(problems).toHaveLength(2);
    expect(problems[1]).toMatchObject({ files: [known.path] });
  });

  test("forget removes words from the text index, too", async () => {
    const path = join(folder(), "archive.db");
    const store = await archiveAt(path);
    await store.commit({ ...NOTHING, sessions: [sessionRows("s1", {}), sessionRows("s2", {})] });
    const pieces = (word: string) => [textPiece("m1", `${word} and more`)];
    await store.indexTexts([{ source: SOURCE, id: "s1", pieces: pieces("confidential") }]);
    await store.indexTexts([{ source: SOURCE, id: "s2", pieces: pieces("public") }]);
    const sessions = [{ source: SOURCE, id: "s1" }];
    await store.forget({ files: [], sessions, paths: [], nowMs: 1 });
    await store.close();
    const database = new DatabaseSync(textsPath(path));
    database.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab ('main', 'words', 'row')");
    const terms = database.prepare("SELECT term FROM temp.terms").all() as { term: string }[];
    database.close();
    const words = terms.map(({ term }) => term).filter((term) => /^[a-z]+$/.test(term));
    expect(words).toEqual(["and", "more", "public"]);
  });

  test("texts are indexed again after the index was replaced", async () => {
    const path = join(folder(), "archive.db");
    const store = await archiveAt(path);
    await store.commit({ ...NOTHING, sessions: [sessionRows("s1", {})] });
    await store.indexTexts([{ source: SOURCE, id: "s1", pieces: [textPiece("m1", "words")] }]);
    expect(await store.withoutTexts()).toEqual([]);
    await store.close();
    const database = new DatabaseSync(textsPath(path));
    database.exec("UPDATE meta SET value = 'of another index' WHERE key = 'uid'");
    database.close();
    expect(await (await archiveAt(path)).withoutTexts()).toMatchObject([{ id: "s1" }]);
  });

  test("texts are indexed again after the format of the index has changed", async () => {
    const path = join(folder(), "archive.db");
    const store = await archiveAt(path);
    await store.commit({ ...NOTHING, sessions: [sessionRows("s1", {})] });
    await store.indexTexts([{ source: SOURCE, id: "s1", pieces: [textPiece("m1", "words")] }]);
    await store.close();
    const database = new DatabaseSync(textsPath(path));
    database.exec("PRAGMA user_version = 1");
    database.close();
    expect(await (await archiveAt(path)).withoutTexts()).toMatchObject([{ id: "s1" }]);
  });

  test("ranges of a chunk are the same in any order", async () => {
    const store = await archiveAt();
    const root = await begin(store);
    const text = Array.from({ length: 30_000 }, (_, at) => `${at} `).join("");
    const bytes = await store.bytes(await keep(store, root, { path: "a", text }));
    for (const [from, to] of [
      [10, 20],
      [5, 15],
      [90_000, 90_010],
      [100, 110],
      [0, text.length],
    ] as const) {
      expect(bytes.range(from, to).toString()).toBe(text.slice(from, to));
    }
  });
});
