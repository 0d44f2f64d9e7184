// @module-tag slow
import { expect, test } from "vitest";
import { memoryStore } from "../../src/store/memory/store.ts";
import { RANKED_TEXTS } from "../../src/store/reads.ts";
import type { Scope, Store } from "../../src/store/store.ts";
import type { SessionFilter } from "../../src/core/filter/filter.ts";
import type { SearchExpression } from "../../src/core/filter/search-expression.ts";
import { fact, ROOT, sessionRows, SOURCE } from "../contracts/store-samples.ts";
import { archiveAt } from "./temporary-archives.ts";

/** More than are selected by the index, and more than are checked one by one. */
const SESSIONS = 1400;
const START = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;
const ids = Array.from({ length: SESSIONS }, (_, number) => `s${number}`);

async function fill(store: Store): Promise<Store> {
  await store.addRoot({ source: SOURCE, path: ROOT, how: "usual" }, 1);
  const sessions = ids.map((id, number) => {
    const at = new Date(START + number * HOUR).toISOString();
    const project = number % 4 === 0 ? "ledger" : "shop";
    return sessionRows(id, {
      usage: [fact(id, `r${number}`, { at, model: number % 3 === 0 ? "large" : "small" })],
      summary: {
        kind: number % 5 === 0 ? "subagent" : "main",
        project: { name: project, path: `/home/ada/${project}`, hash: null, knownBy: "recorded" },
      },
    });
  });
  await store.commit({ nowMs: 1, files: [], readings: [], sessions, dropped: [] });
  const texts = ids.map((id, number) => ({
    source: SOURCE,
    id,
    pieces: [
      {
        messageId: `m${number}`,
        role: "prompt" as const,
        standing: "live" as const,
        atMs: START + number * HOUR,
        // One text in 100 has "rare": the older, the more often.
        texts: [
          `token number${number}${number % 100 === 0 ? " rare".repeat(15 - number / 100) : ""}`,
        ],
        places: [],
      },
    ],
  }));
  await store.indexTexts(texts);
  return store;
}

const FILTERS: readonly [SessionFilter, Scope][] = [
  [{ project: "ledger" }, "own"],
  [{ project: "shop" }, "own"],
  [{ kind: "subagent" }, "own"],
  [{ model: "large" }, "own"],
  [{ untilMs: START + 300 * HOUR }, "own"],
  [{ sinceMs: START + 1300 * HOUR }, "own"],
  [{ project: "nowhere" }, "own"],
  [{}, [1]],
  [{ kind: "main" }, [1]],
];

test("a filter selects the same sessions whether few, many or nearly all match", async () => {
  const [plain, store] = [await fill(memoryStore()), await fill(await archiveAt())];
  for (const [filter, scope] of FILTERS) {
    const expression = { kind: "phrase", text: "token", isPrefix: false } as const;
    const query = { scope, filter, expression, limit: 900 };
    const [there, here] = [await plain.search(query), await store.search(query)];
    const names = (found: typeof there): string[] =>
      found.hits.map(({ sessionId }) => sessionId).toSorted();
    expect(names(here), JSON.stringify(filter)).toEqual(names(there));
    expect(here.order).toBe(there.order);
    expect(here.total).toBe(Math.min(there.total, RANKED_TEXTS + 1));
  }
});

test("ranks by the words that few texts contain, also next to one that nearly all contain", async () => {
  const store = await fill(await archiveAt());
  const word = (text: string): SearchExpression => ({ kind: "phrase", text, isPrefix: false });
  const idsFor = async (expression: SearchExpression): Promise<string[]> => {
    const { hits } = await store.search({ scope: "own", filter: {}, expression, limit: 20 });
    return hits.map(({ sessionId }) => sessionId);
  };
  const ranked = Array.from({ length: 14 }, (_, number) => `s${number * 100}`);
  const [rare, token] = [word("rare"), word("token")];
  expect(await idsFor(rare)).toEqual(ranked);
  expect(await idsFor({ kind: "and", parts: [token, rare] })).toEqual(ranked);
  const unwanted = word("number100");
  const without = ranked.filter((id) => id !== "s100");
  expect(await idsFor({ kind: "not", wanted: rare, unwanted })).toEqual(without);
});
