// @module-tag slow
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHUNK_BYTES } from "../../../src/store/codec.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import type { Store } from "../../../src/store/store.ts";
import { begin, keep, textOf } from "../../contracts/kept-samples.ts";
import { fact, ROOT, sessionRows, textPiece } from "../../contracts/store-samples.ts";
import { NOTHING, newContent } from "../one-file.ts";
import { postgresStores } from "./stores.ts";

const postgres = await postgresStores();

describe.skipIf(!postgres.isAvailable)(`bytes in PostgreSQL${postgres.skipReason}`, () => {
  test("stay the same after compaction, and damage is reported", async () => {
    const dsn = postgres.newDsn();
    const store = await postgres.at(dsn);
    const { id: rootId } = await store.addRoot({ source: "agent", path: ROOT, how: "usual" }, 1);
    let text = "";
    for (let line = 0; line < 5; line += 1) {
      const [known] = await store.known({ rootId });
      const added = `line ${line} ${"x".repeat(100_000)}\n`;
      text += added;
      const change = newContent(rootId, text);
      change.content.pieces = [Buffer.from(added)];
      if (known) Object.assign(change, { known, content: { ...change.content, how: "appended" } });
      expect(await store.commit({ ...NOTHING, nowMs: line + 1, files: [change] })).not.toBe(
        "outdated",
      );
    }
    const before = await store.care.stats();
    const chunks = Math.ceil(text.length / CHUNK_BYTES);
    await store.care.compact(() => undefined);
    const after = await store.care.stats();
    expect([before.chunks, after.chunks, after.versions]).toEqual([5, chunks, 5]);
    const [known] = await store.known({ rootId });
    const bytes = known && (await store.bytes(known));
    expect(bytes?.range(0, text.length).toString()).toBe(text);
    expect(bytes?.range(250_000, 270_000).toString()).toBe(text.slice(250_000, 270_000));
    expect(await store.care.verify(() => undefined)).toMatchObject({ chunks, problems: [] });
    await postgres.sql(dsn, "UPDATE chunks SET bytes = 'x', codec = 'plain'");
    const { problems } = await store.care.verify(() => undefined);
    expect(problems.map(({ files }) => files)).toEqual(
      Array.from({ length: chunks }, () => [known?.path]),
    );
  });

  test("move to an archive file and back, with every state and without duplicates", async () => {
    const [store, folder] = [await postgres.open(), mkdtempSync(join(tmpdir(), "moved-"))];
    const root = await begin(store);
    const first = await keep(store, root, { path: "a", text: "one\n", nowMs: 10 });
    const grown = { path: "a", text: "one\ntwo\n", known: first, how: "appended" } as const;
    const second = await keep(store, root, { ...grown, nowMs: 20 });
    const third = await keep(store, root, { path: "a", text: "3\n", known: second, nowMs: 30 });
    await store.commit({ ...NOTHING, nowMs: 40, files: [{ kind: "gone", known: third }] });
    await store.forget({ files: [], sessions: [{ source: "", id: "s9" }], paths: [], nowMs: 1 });
    const file = join(folder, "moved.pollux");
    await store.care.exportTo(file);
    const other = await postgres.open();
    const report = await other.care.importFrom(file, 50);
    expect(report).toEqual({ files: 1, versions: 3, chunks: 3, bytes: 10, roots: 1 });
    const contentOf = async (from: Store): Promise<unknown> => {
      const [known] = await from.known({});
      const versions = await from.versions(known?.id ?? 0);
      const texts = versions.map(async ({ id: _id, fileId: _file, content, ...version }) => {
        return { ...version, text: await textOf(from, { path: "a", content, ...version }) };
      });
      const { machine, path } = (await from.roots())[0] ?? {};
      return { gone: known?.goneSinceMs, machine, path, texts: await Promise.all(texts) };
    };
    expect(await contentOf(other)).toEqual(await contentOf(store));
    expect((await other.forgotten()).sessions).toEqual(["s9"]);
    expect(await other.care.importFrom(file, 60)).toMatchObject({
      files: 0,
      versions: 0,
      bytes: 0,
    });
    const archive = await openSqliteStore(join(folder, "archive.db"), { reader: 1 });
    await archive.care.importFrom(file, 70);
    expect(await contentOf(archive)).toMatchObject({ gone: 40 });
    await archive.close();
  });

  test("are deleted by forget, with all rows and words", async () => {
    const dsn = postgres.newDsn();
    const store = await postgres.at(dsn);
    const { id: rootId } = await store.addRoot({ source: "agent", path: ROOT, how: "usual" }, 1);
    await store.commit({
      ...NOTHING,
      files: [newContent(rootId, "planted")],
      sessions: [sessionRows("first", { usage: [fact("first", "planted")] })],
    });
    const pieces = [textPiece("m1", "planted")];
    await store.indexTexts([{ source: "agent", id: "first", pieces }]);
    const [known] = await store.known({ rootId });
    await store.forget({
      files: [known?.id ?? 0],
      sessions: [{ source: "agent", id: "first" }],
      paths: [`${ROOT}/first.jsonl`],
      nowMs: 9,
    });
    const forgotten = await store.forgotten();
    expect(forgotten.hasSession({ source: "agent", id: "first" })).toBe(true);
    expect(forgotten.hasFile(`${ROOT}/first.jsonl`)).toBe(true);
    expect((await store.care.stats()).chunks).toBe(0);
    expect(await postgres.tablesWith(dsn, "planted")).toEqual([]);
  });
});
