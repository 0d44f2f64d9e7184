import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Batch, SessionTexts, Store } from "../../src/store/store.ts";
import type { SessionRows } from "../../src/core/rows/session-rows.ts";
import {
  Dice,
  OTHER_ROOT,
  randomAnnotations,
  randomRows,
  randomSession,
  randomTexts,
} from "./random-home.ts";
import { answersOf, randomQuestions } from "./store-answers.ts";
import { ROOT } from "./store-samples.ts";

const RUNS = 60;

/** Tests that a store answers every query as the memory store does, for any order of commits. */
export function equalityContract(
  name: string,
  open: () => Promise<Store>,
  runs: number = RUNS,
): void {
  describe(`${name} answers as the memory store does`, () => {
    test("about any random home, committed in any order", { timeout: 240_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const dice = new Dice(seed);
          const [plain, store] = [memoryStore(), await open()];
          const both = [plain, store];
          for (const each of both) await addRoots(each);
          const sessions = shuffled(dice, randomRows(dice));
          for (const batch of batchesOf(dice, sessions)) {
            for (const each of both) expect(await each.commit(batch)).not.toBe("outdated");
          }
          const ids = sessions.map(({ summary }) => summary.id);
          for (const { changes, nowMs } of randomAnnotations(dice, ids)) {
            for (const each of both) await each.annotate(changes, nowMs);
          }
          const texts = randomTexts(dice, sessions);
          for (const each of both) await indexAll(each, texts);
          for (let round = 0; round < 3; round += 1) {
            const asked = randomQuestions(dice);
            expect(await answersOf(store, asked), JSON.stringify(asked)).toEqual(
              await answersOf(plain, asked),
            );
          }
          await store.close();
        }),
        { numRuns: Number(process.env["RUNS"] ?? runs) },
      );
    });
  });
}

async function addRoots(store: Store): Promise<void> {
  await store.addRoot({ source: "agent", path: ROOT, how: "usual" }, 1);
  await store.addRoot({ source: "agent", path: OTHER_ROOT, how: "asked" }, 1);
  await store.addRoot({ source: "other-agent", path: ROOT, how: "usual" }, 1);
}

/** Indexes all texts, then indexes two thirds of each session again, in two parts. */
async function indexAll(store: Store, texts: readonly SessionTexts[]): Promise<void> {
  await store.indexTexts(texts);
  for (const session of texts) {
    const left = session.pieces.filter((_, at) => at % 3 !== 1);
    const middle = left.length / 2;
    await store.indexTexts([{ ...session, pieces: left.slice(0, middle), more: true }]);
    await store.indexTexts([{ ...session, pieces: left.slice(middle) }]);
  }
}

function shuffled<T>(dice: Dice, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: dice.roll(1e9) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Commits a few sessions at a time; some are written again, dropped or renamed. */
function batchesOf(dice: Dice, sessions: readonly SessionRows[]): Batch[] {
  const ids = [...new Set(sessions.map(({ summary }) => summary.id))];
  const batches: Batch[] = [];
  const add = (batch: Partial<Batch>): void => {
    const nothing = {
      nowMs: batches.length + 1,
      files: [],
      readings: [],
      sessions: [],
      dropped: [],
    };
    batches.push({ ...nothing, ...batch });
  };
  for (let from = 0; from < sessions.length;) {
    const to = from + 1 + dice.roll(3);
    add({ sessions: sessions.slice(from, to) });
    from = to;
  }
  for (const { summary } of sessions) {
    const { source, id } = summary;
    const project = { name: "renamed", path: "/home/ada/renamed", knownBy: "registry" } as const;
    if (dice.chance(20)) add({ sessions: [randomSession(dice, { id, source, ids })] });
    if (dice.chance(10)) add({ dropped: [{ source, id }] });
    if (dice.chance(10)) add({ renamed: [{ source, id, project }] });
    if (dice.chance(5)) add({ comparisons: [] });
  }
  if (dice.chance(70)) add({ comparisons: [] });
  return batches;
}
