import type { KnownRoot } from "../../src/core/files/kept.ts";
import type { Batch, Store } from "../../src/store/store.ts";
import { changeOf } from "../contracts/kept-samples.ts";
import { Dice, randomSession } from "../contracts/random-home.ts";
import { ROOT, SOURCE } from "../contracts/store-samples.ts";

const IDS = ["s0", "s1", "s2", "s3", "s4", "s5"];

/** Which commits a process makes: deterministic for each plan. */
export interface Plan {
  seed: number;
  /** Processes with different names keep different files. */
  name: string;
}

/**
 * Makes one commit of a plan: a file that has grown or was replaced, its reading and its session.
 * The
 * root's snapshot identifies the last commit.
 */
export async function commitStep(store: Store, plan: Plan, step: number): Promise<void> {
  const root = await store.addRoot({ source: SOURCE, path: ROOT, how: "usual" }, step);
  for (;;) {
    const done = await store.commit(await batchOf(store, { root, plan, step }));
    if (done !== "outdated") return;
  }
}

async function batchOf(
  store: Store,
  { root, plan, step }: { root: KnownRoot; plan: Plan; step: number },
): Promise<Batch> {
  const dice = new Dice(plan.seed * 100_003 + step);
  const id = dice.pick(IDS);
  const path = `${plan.name}-${id}.jsonl`;
  const [known] = await store.known({ rootId: root.id, paths: [`${ROOT}/${path}`] });
  const isGrowing = known !== undefined && dice.chance(70);
  const before = isGrowing && known ? await wholeOf(store, known) : "";
  const text = `${before}${step} ${linesOf(dice)}`;
  const how = isGrowing ? "appended" : "whole";
  const sample = { path, text, how, ...(known ? { known } : {}) } as const;
  const rows = randomSession(dice, { id: `${plan.name}-${id}`, source: SOURCE, ids: IDS });
  return {
    nowMs: step + 1,
    files: [changeOf(root, sample)],
    readings: [
      {
        rootId: root.id,
        path: `${ROOT}/${path}`,
        format: "lines",
        generation: "1",
        keys: [id],
        sessionIds: [rows.summary.id],
        isRead: true,
        diagnostics: [],
      },
    ],
    sessions: [rows],
    dropped: dice.chance(10) ? [{ source: SOURCE, id: `${plan.name}-${dice.pick(IDS)}` }] : [],
    comparisons: [{ rootId: root.id, diagnostics: [], snapshot: `${plan.name} ${step}` }],
  };
}

async function wholeOf(
  store: Store,
  file: Parameters<Store["bytes"]>[0] & { sizeBytes: number },
): Promise<string> {
  return (await store.bytes(file)).range(0, file.sizeBytes).toString();
}

/** Sometimes larger than the packed bytes of one transaction. */
function linesOf(dice: Dice): string {
  const length = dice.pick([10, 1000, 200_000]);
  return Array.from({ length: length / 10 }, () => `${dice.roll(1e9)}\n`).join("");
}

/** Kept files in a fixed order, without ids that depend on the store. */
export async function keptIn(store: Store): Promise<unknown> {
  const files = await store.known({});
  const kept = await Promise.all(
    files.map(async (file) => {
      const versions = await store.versions(file.id);
      const texts = versions.map(async (version) => wholeOf(store, { ...file, ...version }));
      const { path, sizeBytes, digest, keys, sessionIds } = file;
      return { path, sizeBytes, digest, keys, sessionIds, states: await Promise.all(texts) };
    }),
  );
  return kept.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
