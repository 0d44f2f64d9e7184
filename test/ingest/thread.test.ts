// @module-tag slow
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { diskStore } from "../../src/ingest/disk-store.ts";
import type { Ingester } from "../../src/ingest/threads/ingester.ts";
import { directIngester } from "../../src/ingest/threads/ingester.ts";
import { ThreadIngester } from "../../src/ingest/threads/thread-ingester.ts";
import type { IngestProgress } from "../../src/ingest/ingest-report.ts";
import { open } from "../../src/library/library.ts";
import type { LongQueries } from "../../src/library/threads/long-questions.ts";
import { queryHere, QueryThread } from "../../src/library/threads/long-questions.ts";
import { sources } from "../../src/sources/index.ts";
import { header, jsonl, model, user } from "../samples/records.ts";
import { bundledThread } from "../bundled-thread.ts";
import { answersOf } from "./answers.ts";
import { newArchive, sqliteStore } from "./stores.ts";
import { CHATS, NOW_MS, TestHome } from "./test-home.ts";

let script = "";

/** Threads run a bundled file: Node does not run the TypeScript sources directly. */
beforeAll(async () => {
  script = await bundledThread("src/library/threads/thread.ts");
});

function homeWith(sessions: number, bytes: number): TestHome {
  const home = new TestHome();
  for (let at = 0; at < sessions; at += 1) {
    const name = `${CHATS}/session-2026-02-10T17-28-${String(at + 10_000_000)}.jsonl`;
    const said = [
      user("u", 1, `question ${at}`),
      model(`m${at}`, 2, `${"word ".repeat(bytes / 5)}${at}`),
    ];
    home.write(name, jsonl(header(`session-${at}`), ...said));
  }
  return home;
}

async function keptBy(ingester: Ingester, home: TestHome): Promise<IngestProgress[]> {
  const reported: IngestProgress[] = [];
  await ingester.ingest({
    places: [home.place],
    how: "usual",
    progress: (progress) => reported.push(progress),
  });
  return reported;
}

describe("the ingest thread", () => {
  test("keeps what a direct ingest keeps", async () => {
    const home = homeWith(30, 2000);
    const archive = newArchive();
    const ingester = new ThreadIngester({ script, location: archive });
    const reported = await keptBy(ingester, home);
    expect(reported.at(-1)).toMatchObject({ doneFiles: 30, totalFiles: 30 });
    expect(await ingester.indexTexts()).toBe(30);
    expect(await ingester.indexTexts()).toBe(0);
    await ingester.close();
    const store = await sqliteStore(archive);
    const oracle = await diskStore([home.place], { depth: "full", nowMs: NOW_MS });
    expect(await answersOf(store)).toEqual(await answersOf(oracle));
  });

  test("handles requests in order, and continues after a failure", async () => {
    const home = homeWith(3, 100);
    const archive = newArchive();
    writeFileSync(`${archive}.txt`, "no archive");
    const broken = new ThreadIngester({ script, location: join(`${archive}.txt`, "pollux.db") });
    await expect(keptBy(broken, home)).rejects.toMatchObject({ name: "PolluxError" });
    await broken.close();
    const ingester = new ThreadIngester({ script, location: archive });
    const [first, second] = await Promise.all([
      ingester.ingest({ places: [home.place], how: "usual" }),
      ingester.ingest({ places: [home.place], how: "usual" }),
    ]);
    expect(first).toMatchObject([{ added: 4 }]);
    expect(second).toMatchObject([{ added: 0, replaced: 0, bytes: 0 }]);
    expect(await ingester.rebuild()).toBe(3);
    await ingester.close();
    await ingester.close();
  });

  test("does not block its caller, and shares large work with a helper thread", async () => {
    const home = homeWith(220, 260_000);
    const archive = newArchive();
    const ingester = new ThreadIngester({ script, location: archive });
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const [report] = await ingester.ingest({ places: [home.place], how: "usual" });
    expect(report).toMatchObject({ opened: 221, added: 221, sessions: 220 });
    expect(await ingester.indexTexts()).toBe(220);
    clearInterval(timer);
    await ingester.close();
    // Far less than the seconds that the work takes, with slack for a busy machine.
    expect(longest).toBeLessThan(500);
    const store = await sqliteStore(archive);
    const oracle = await diskStore([home.place], { depth: "full", nowMs: NOW_MS });
    expect(await answersOf(store)).toEqual(await answersOf(oracle));
    expect(await store.withoutTexts()).toEqual([]);
  }, 120_000);

  test("indexes the texts of 1,100 sessions in parts", async () => {
    const home = homeWith(1100, 300);
    const archive = newArchive();
    const ingester = new ThreadIngester({ script, location: archive });
    await ingester.ingest({ places: [home.place], how: "usual" });
    expect(await ingester.indexTexts()).toBe(1100);
    await ingester.close();
    const store = await sqliteStore(archive);
    expect(await store.withoutTexts()).toEqual([]);
    expect((await store.care.stats()).texts).toBeGreaterThanOrEqual(1100);
  }, 120_000);
});

describe("the thread for long queries", () => {
  test("gives the same answers as the library, also after another ingest", async () => {
    const home = homeWith(12, 300);
    const archive = newArchive();
    const place = { roots: [home.place.root.path], archive };
    const library = open(place);
    onTestFinished(() => library.close());
    await library.keep(NOW_MS);
    const thread = new QueryThread(script, place);
    const here = queryHere(library);
    for (const asked of [here, thread]) {
      expect((await asked.usage({ by: ["model"] })).totals).toMatchObject({ requests: 12 });
    }
    home.write(
      `${CHATS}/session-2026-02-11T17-28-20000000.jsonl`,
      jsonl(header("one more"), model("n", 3, "more")),
    );
    await library.keep(NOW_MS);
    thread.release();
    const all = (asked: LongQueries) => {
      return Promise.all([
        asked.usage({ by: ["day"] }),
        asked.tools({}),
        asked.insights({ limit: 5 }),
        asked.deletion(NOW_MS),
        asked.safety(),
      ]);
    };
    const answers = await all(thread);
    expect(answers).toEqual(await all(here));
    expect(answers[0].totals).toMatchObject({ requests: 13 });
    await expect(thread.usage({ session: "nobody" })).rejects.toMatchObject({
      code: "no-such-session",
    });
    await thread.close();
    await thread.close();
  });
});

test("concurrent ingests of one home store it once", async () => {
  const home = homeWith(40, 3000);
  const archive = newArchive();
  const options = { sources, clock: () => NOW_MS };
  const stores = [await sqliteStore(archive), await sqliteStore(archive)];
  const ingesters = stores.map((store) => directIngester(store, options));
  const thread = new ThreadIngester({ script, location: archive });
  await Promise.all([...ingesters, thread].map((ingester) => keptBy(ingester, home)));
  await thread.close();
  const oracle = await answersOf(await diskStore([home.place], { depth: "full", nowMs: NOW_MS }));
  for (const store of stores) expect(await answersOf(store)).toEqual(oracle);
  const stats = await stores[0]?.care.stats();
  expect(stats).toMatchObject({ files: { total: 41 }, versions: 41 });
});
