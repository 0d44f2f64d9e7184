// @module-tag slow
import { describe, expect, test } from "vitest";
import type { SessionRows } from "../../../src/core/rows/session-rows.ts";
import { ingest } from "../../../src/ingest/ingest.ts";
import { indexTexts } from "../../../src/ingest/texts/index-texts.ts";
import type { SourceRoot } from "../../../src/ingest/decode.ts";
import { sources } from "../../../src/sources/index.ts";
import { memoryStore } from "../../../src/store/memory/store.ts";
import type { Store, TextQuery } from "../../../src/store/store.ts";
import { annotationsContract } from "../../contracts/store-annotations.ts";
import { equalityContract } from "../../contracts/store-equality.ts";
import { filesContract } from "../../contracts/store-files.ts";
import { fact, ROOT, sessionRows, textPiece } from "../../contracts/store-samples.ts";
import { sampleHomes } from "../../samples/sample-homes.ts";
import { answersOf } from "../../ingest/answers.ts";
import { NOW_MS } from "../../ingest/test-home.ts";
import { NOTHING, newContent } from "../one-file.ts";
import { postgresStores } from "./stores.ts";

const postgres = await postgresStores();
const { open } = postgres;

async function found(store: Store, expression: TextQuery["expression"]): Promise<unknown> {
  const { hits, ...rest } = await store.search({
    scope: "own",
    expression,
    filter: {},
    limit: 5000,
  });
  const texts = hits.map(({ rank: _engine, ...hit }) => JSON.stringify(hit)).toSorted();
  return { ...rest, hits: texts };
}

function expressions(...all: TextQuery["expression"][]): TextQuery["expression"][] {
  return all;
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

const word = (text: string): TextQuery["expression"] => ({ kind: "phrase", text, isPrefix: false });

describe.skipIf(!postgres.isAvailable)(`a store in PostgreSQL${postgres.skipReason}`, () => {
  // Fewer runs than for other stores: each run has its own schema of about a hundred tables.
  equalityContract("PostgreSQL", open, 15);
  annotationsContract("PostgreSQL", open);
  filesContract("PostgreSQL", open);

  /** The committed homes of each agent. */
  const homes: (readonly [string, SourceRoot[]])[] = sources.map((source) => {
    const roots = sampleHomes(source).flatMap(({ roots: each }) => each);
    const places = roots.map((path) => {
      return { source, root: { path, because: "a test", isFound: true } };
    });
    return [source.id, places];
  });

  test.each(homes)(
    "answers like the plain store about the corpus of %s",
    async (_, places) => {
      const [plain, store] = [memoryStore(), await open()];
      for (const each of [plain, store]) {
        await ingest(each, places, { how: "usual", clock: () => NOW_MS });
        await indexTexts(each, { sources });
      }
      expect(await answersOf(store)).toEqual(await answersOf(plain));
      expect(await store.withoutTexts()).toEqual([]);
      for (const expression of expressions(
        word("test"),
        word("the file"),
        { kind: "phrase", text: "rea", isPrefix: true },
        { kind: "not", wanted: word("the"), unwanted: word("file") },
        { kind: "and", parts: [word("the"), word("file")] },
      )) {
        expect(await found(store, expression)).toEqual(await found(plain, expression));
      }
    },
    240_000,
  );

  test("returns every text unchanged, even characters that PostgreSQL cannot store", async () => {
    const [plain, store] = [memoryStore(), await open()];
    const odd = 'a\0b\u001a0000\ud83d c\udc00 \\N\t\r\n{"x"}';
    const rows = sessionRows(odd, {
      summary: { title: odd, project: { name: odd, path: odd, hash: null, knownBy: "recorded" } },
      usage: [fact(odd, odd, { model: odd, tier: odd, messageId: `${odd}!` })],
    });
    for (const each of [plain, store]) {
      await each.commit({ ...NOTHING, sessions: [rows] });
      await each.indexTexts([{ source: "agent", id: odd, pieces: [textPiece(odd, `x ${odd}`)] }]);
    }
    expect(await answersOf(store)).toEqual(await answersOf(plain));
    expect(await found(store, word("x"))).toEqual(await found(plain, word("x")));
  });

  test("finds words at any position of long texts", async () => {
    const [plain, store] = [memoryStore(), await open()];
    const filler = Array.from({ length: 40_000 }, (_, at) => `w${at % 7000} the`).join(" ");
    const long = `alpha ${filler} beta gamma ${filler} omega`;
    for (const each of [plain, store]) {
      await each.commit({ ...NOTHING, sessions: [sessionRows("first", {})] });
      const pieces = [textPiece("m1", long), textPiece("m2", "alpha alone")];
      await each.indexTexts([{ source: "agent", id: "first", pieces }]);
    }
    for (const expression of expressions(
      { kind: "and", parts: [word("alpha"), word("omega")] },
      { kind: "not", wanted: word("alpha"), unwanted: word("omega") },
      word("beta gamma"),
      word("w6999 the w0"),
      word("gamma beta"),
    )) {
      expect(await found(store, expression)).toEqual(await found(plain, expression));
    }
  });

  test("keeps old texts until all new ones are stored", async () => {
    const store = await open();
    await store.commit({ ...NOTHING, sessions: [sessionRows("first", {})] });
    const session = { source: "agent", id: "first" };
    await store.indexTexts([{ ...session, pieces: [textPiece("m0", "former")] }]);
    await store.indexTexts([{ ...session, pieces: [textPiece("m1", "begun")], more: true }]);
    expect(await found(store, word("former"))).toMatchObject({ total: 1 });
    await store.indexTexts([{ ...session, pieces: [textPiece("m2", "ended")] }]);
    expect(await found(store, word("former"))).toMatchObject({ total: 0 });
    expect(await found(store, word("begun"))).toMatchObject({ total: 1 });
    expect(await found(store, word("ended"))).toMatchObject({ total: 1 });
  });

  test("returns the newest matches if there are more than it ranks", async () => {
    const store = await open();
    await store.commit({ ...NOTHING, sessions: [sessionRows("first", {})] });
    const pieces = Array.from({ length: 1500 }, (_, at) =>
      textPiece(`m${at}`, "common words", { atMs: at }),
    );
    await store.indexTexts([{ source: "agent", id: "first", pieces }]);
    const query = { scope: "own", expression: word("common"), filter: {}, limit: 3 } as const;
    const { hits, total, order } = await store.search(query);
    expect(hits.map(({ messageId }) => messageId)).toEqual(["m1499", "m1498", "m1497"]);
    expect([total, order]).toEqual([1001, "newest"]);
  });

  test("refuses to overwrite what another process has kept meanwhile", async () => {
    const store = await open();
    const { id: rootId } = await store.addRoot({ source: "agent", path: ROOT, how: "usual" }, 1);
    const kept = await store.commit({ ...NOTHING, files: [newContent(rootId, "first")] });
    expect(kept).not.toBe("outdated");
    expect(await store.commit({ ...NOTHING, files: [newContent(rootId, "other")] })).toBe(
      "outdated",
    );
    const [known] = await store.known({ rootId });
    const bytes = known && (await store.bytes(known)).range(0, 99).toString();
    expect(bytes).toBe("first");
  });

  test("stores nothing of a batch whose bytes fail", async () => {
    const store = await open();
    const { id: rootId } = await store.addRoot({ source: "agent", path: ROOT, how: "usual" }, 1);
    const broken = newContent(rootId, "first");
    broken.content.pieces = (function* () {
      yield Buffer.from("fir");
      throw new Error("it changed meanwhile");
    })();
    const batch = { ...NOTHING, files: [broken], sessions: [sessionRows("first", {})] };
    await expect(store.commit(batch)).rejects.toThrow("it changed meanwhile");
    expect(await store.known({})).toEqual([]);
    expect((await store.care.stats()).sessions).toBe(0);
  });

  test("counts every reply once while eight writers commit sessions that share replies", async () => {
    const dsn = postgres.newDsn();
    const stores = await Promise.all(Array.from({ length: 8 }, () => postgres.at(dsn)));
    const plain = memoryStore();
    const rows = (round: number, at: number): SessionRows => {
      const id = `s${at}`;
      const day = `2026-05-${String(20 - at + round).padStart(2, "0")}T10:00:00.000Z`;
      const shared = ["a", "b", "c", "d"].map((reply) => fact(id, reply, { at: day }));
      return sessionRows(id, { usage: [...shared, fact(id, `own-${at}`, { at: day })] });
    };
    for (let round = 0; round < 4; round += 1) {
      const batches = stores.map((_, at) => ({ ...NOTHING, sessions: [rows(round, at)] }));
      await Promise.all(stores.map((store, at) => store.commit(batches[at] ?? NOTHING)));
      for (const batch of batches) await plain.commit(batch);
    }
    expect(await answersOf(stores[0] ?? plain)).toEqual(await answersOf(plain));
  });

  test("is created once if many open it at the same time", async () => {
    const dsn = postgres.newDsn();
    const stores = await Promise.all(Array.from({ length: 6 }, () => postgres.at(dsn)));
    expect(stores.map((store) => store.mode)).toEqual(Array.from({ length: 6 }, () => "write"));
  });

  test("deletes rows for a newer reader, and refuses an older one", async () => {
    const dsn = postgres.newDsn();
    const first = await postgres.at(dsn);
    const { id: rootId } = await first.addRoot({ source: "agent", path: ROOT, how: "usual" }, 1);
    await first.commit({
      ...NOTHING,
      files: [newContent(rootId, "first")],
      sessions: [sessionRows("first", {})],
    });
    const second = await postgres.at(dsn, 2);
    const stats = await second.care.stats();
    expect([stats.sessions, stats.files.total]).toEqual([0, 1]);
    expect(await second.unread()).toHaveLength(1);
    await expect(postgres.at(dsn, 1)).rejects.toMatchObject({ code: "archive-newer" });
  });

  test("refuses writes, and soon reads, of stores opened before an update", async () => {
    const dsn = postgres.newDsn();
    const older = await postgres.at(dsn);
    await postgres.at(dsn, 2);
    const batch = { ...NOTHING, sessions: [sessionRows("first", {})] };
    await expect(older.commit(batch)).rejects.toMatchObject({ code: "archive-newer" });
    await expect.poll(() => older.care.stats().catch(codeOf)).toBe("archive-newer");
  });

  test("can be created in an existing schema by a role that may not create schemas", async () => {
    const dsn = postgres.newDsn();
    const schema = /schema=(\w+)/.exec(dsn)?.[1] ?? "";
    await postgres.sql(
      dsn,
      `CREATE ROLE owner_${schema} LOGIN PASSWORD 'owner';
      CREATE SCHEMA ${schema} AUTHORIZATION owner_${schema}`,
    );
    const store = await postgres.at(dsn.replace(/\/\/[^@]*@/, `//owner_${schema}:owner@`));
    expect(store.mode).toBe("write");
    await store.commit({ ...NOTHING, sessions: [sessionRows("first", {})] });
    expect((await store.care.stats()).sessions).toBe(1);
  });

  test("can be read by a role that may not write", async () => {
    const dsn = postgres.newDsn();
    const store = await postgres.at(dsn);
    await store.commit({ ...NOTHING, sessions: [sessionRows("first", {})] });
    const reader = await postgres.readerOf(dsn);
    expect(reader.mode).toBe("read");
    const page = await reader.sessions({ scope: "own", filter: {}, sort: "newest" });
    expect(page.total).toBe(1);
    await expect(reader.commit(NOTHING)).rejects.toMatchObject({ code: "archive-read-only" });
    await expect(reader.forgotten()).resolves.toBeDefined();
  });
});
