// @module-tag slow
import { describe, expect, test } from "vitest";
import { CHUNK_BYTES } from "../../src/store/codec.ts";
import { fact, ROOT, sessionRows, textPiece } from "../contracts/store-samples.ts";
import { NOTHING, newContent } from "./one-file.ts";
import { postgresStores } from "./postgres-stores.ts";

const postgres = await postgresStores();

describe.skipIf(!postgres.isThere)("bytes in PostgreSQL", () => {
  test("stay the same when they are put together, and damage is told", async () => {
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

  test("are gone when they are forgotten, with all rows and words", async () => {
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
    expect(forgotten.has("session", "first")).toBe(true);
    expect(forgotten.has("file", `${ROOT}/first.jsonl`)).toBe(true);
    expect((await store.care.stats()).chunks).toBe(0);
    expect(await postgres.tablesWith(dsn, "planted")).toEqual([]);
  });
});
