// @module-tag slow
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Archive } from "../../src/store/archive.ts";
import { openArchive } from "../../src/store/sqlite/archive.ts";
import { LedgerDesk } from "../../src/library/ledger.ts";
import { READER_VERSION } from "../../src/ingest/reader-version.ts";
import { rememberedTexts } from "../../src/ingest/recall.ts";
import type { Shelf } from "../../src/ingest/session-source.ts";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import type { UsageQuery, UsageReport } from "../../src/queries/usage.ts";
import { sources } from "../../src/sources/index.ts";
import { ChangingHome } from "../store/changing-home.ts";
import { folder } from "../store/places.ts";
import { header, jsonl, model, user } from "../samples/home.ts";
import { TestHome } from "./desk.ts";

const QUERIES: readonly UsageQuery[] = [
  { by: ["month"] },
  { by: ["day", "model"], timezone: "Asia/Kathmandu" },
  { by: ["root", "kind"], sort: "tokens" },
  { by: ["model"], model: "flash", timezone: "UTC" },
  { by: ["week"], source: "gemini" },
  { by: ["day"], limit: 1 },
];

/** Worked out from the rows of all sessions, with nothing remembered. */
function plainly({ archive: { shelf } }: Library, query: UsageQuery): Promise<UsageReport> {
  const plain: Pick<Shelf, "digests" | "counts" | "diagnostics" | "recall"> = {
    digests: () => shelf.digests(),
    counts: () => shelf.counts(),
    diagnostics: () => shelf.diagnostics(),
    recall: () => ({ keep: (answer) => answer }),
  };
  return new LedgerDesk(plain as Shelf, sources, () => undefined).usage(query);
}

/** All questions of a library of its own, and the same worked out from nothing. */
async function ask(library: Library): Promise<[told: UsageReport[], plain: UsageReport[]]> {
  const told = [];
  const plain = [];
  for (const query of QUERIES) told.push(await library.usage(query));
  for (const query of QUERIES) plain.push(await plainly(library, query));
  library.archive.close();
  return [told, plain];
}

const MODELS = ["gemini-2.5-pro", "gemini-2.5-flash", "models/gemini-2.5-flash", "my-own"];

/** A session of some days with models that have a price and some that have none. */
function someDays(id: string, number: number): string {
  const replies = Array.from({ length: 1 + (number % 5) }, (_, n) => {
    const seconds = number * 40_000 + n * 70_000;
    const tokens = { input: 90 + n, output: 7, cached: 3, thoughts: 1, tool: 0, total: 98 + n };
    // Some do not add up.
    if (number % 7 === 0) tokens.total += 5;
    return model(`${id}-m${n}`, seconds, { model: MODELS[(number + n) % 4], tokens });
  });
  const kind = number % 6 === 0 ? "subagent" : "main";
  return jsonl(header(id, { kind }), user(`${id}-u`, 1, "hello"), ...replies);
}

const idOf = (number: number): string => `${String(number).padStart(8, "0")}-x`;

describe("sums over runs of sessions are those over all of them", () => {
  test.each([3, 8])("whatever changes (%i)", { timeout: 60_000 }, async (seed) => {
    const place = folder();
    const home = new ChangingHome(place, seed, { sessions: 90, sessionBytes: 300 });
    const wish = { roots: [home.root], archive: join(place, "archive.db") };
    const surroundings = { homeDir: "/home/ada", env: {} };
    for (let round = 0; round < 12; round += 1) {
      const library = open({ surroundings, ...wish });
      const [told, plain] = await ask(library);
      expect(told).toEqual(plain);
      home.change();
    }
  });

  test("with odd counts, models without a price, copies, and after forgetting", async () => {
    const home = new TestHome();
    const other = new TestHome();
    for (let n = 0; n < 100; n += 1) home.write(home.fileOf(idOf(n)), someDays(idOf(n), n));
    other.session("11111111-o");
    const changes = [
      () => undefined,
      () => home.append(home.fileOf(idOf(14)), jsonl(model("more", 90, { model: "another" }))),
      () => home.library().archive.care.forget([idOf(40)]),
      () => home.remove(home.fileOf(idOf(50))),
      // A reply that two sessions hold was paid for once.
      () => home.append(home.fileOf(idOf(61)), jsonl(model(`${idOf(60)}-m0`, 95, "again"))),
      () => other.write(other.fileOf(idOf(70)), someDays(idOf(70), 71)),
    ];
    for (const change of changes) {
      change();
      for (const roots of [[home.root], [other.root], [home.root, other.root]]) {
        const [told, plain] = await ask(home.library({ roots }));
        expect(told).toEqual(plain);
        expect((await ask(home.library({ roots })))[0]).toEqual(told);
      }
    }
  });

  test("also at other prices", async () => {
    const home = new TestHome();
    for (let n = 0; n < 40; n += 1) home.write(home.fileOf(idOf(n)), someDays(idOf(n), n));
    const usage = await home.library().usage(QUERIES[0] ?? {});
    const prices = join(home.folder, "prices.json");
    const rates = { input: 9, cached: 9, output: 9 };
    writeFileSync(prices, JSON.stringify({ models: { "my-own": rates } }));
    const dearer = await home.library({ prices }).usage(QUERIES[0] ?? {});
    expect(dearer.totals.unpricedRequests).toBeLessThan(usage.totals.unpricedRequests);
    expect(await home.library().usage(QUERIES[0] ?? {})).toEqual(usage);
  });

  test("and tell nothing of a session that was forgotten", async () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    home.write("chats/b.jsonl", jsonl(header("b-1"), model("m", 1, { model: "xyzzyplugh" })));
    const library = home.library();
    await library.usage({ by: ["month"] });
    const bytes = (): string => {
      return ["", "-wal"].map((end) => readFileSync(`${home.archive}${end}`, "latin1")).join("");
    };
    expect(bytes()).toContain('"model":"xyzzyplugh"');
    library.archive.care.forget(["b-1"]);
    expect(bytes()).not.toContain("xyzzyplugh");
  });
});

describe("when one session of many changes", () => {
  /** How many sessions were worked out, and how many texts were put together. */
  function count(archive: Archive): { made: number; folded: number; told: string } {
    const roots = archive.files.roots().map(({ id }) => id);
    const counted = { made: 0, folded: 0 };
    const make = ({ summary }: { summary: { id: string } }): string => {
      counted.made += 1;
      return summary.id;
    };
    const fold = (texts: readonly string[]): string => {
      counted.folded += texts.length;
      return texts.join(" ");
    };
    const wish = { roots, name: "ids", make, runs: { name: "all ids", fold } };
    const texts = rememberedTexts(archive, wish) ?? [];
    return { ...counted, told: texts.join(" ").split(" ").toSorted().join(" ") };
  }

  test("only that one is worked out, and few are put together again", () => {
    const home = new TestHome();
    const ids = Array.from({ length: 400 }, (_, n) => idOf(n));
    for (const id of ids) home.session(id);
    home.library().archive.keep();
    const archive = openArchive(home.archive, READER_VERSION);
    expect(count(archive)).toEqual({ made: 400, folded: 400, told: ids.join(" ") });
    expect(count(archive)).toEqual({ made: 0, folded: 0, told: ids.join(" ") });
    for (const id of [ids[7], ids[200], ids[7]]) {
      home.append(home.fileOf(id ?? ""), jsonl(user("u9", 9, "more")));
      home.library().archive.keep();
      const { made, folded, told } = count(archive);
      expect({ made, told }).toEqual({ made: 1, told: ids.join(" ") });
      expect(folded).toBeLessThan(200);
    }
    archive.close();
  });
});
