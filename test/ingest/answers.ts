import type { Diagnostic } from "../../src/core/files/diagnostic.ts";
import type { UsageReads } from "../../src/store/replies/usage-reads.ts";
import type { BucketKey, Store } from "../../src/store/store.ts";

const GROUPS: readonly (readonly BucketKey[])[] = [
  [],
  ["model"],
  ["project", "session"],
  ["kind", "status"],
  ["tool"],
  ["mcp"],
  ["standing", "purpose"],
  ["generation"],
  ["root"],
];

/**
 * Asks a store every question and sorts the answers: stores with the same content compare equal.
 */
export async function answersOf(
  store: Store,
): Promise<Record<string, unknown> & { sessions: unknown[] }> {
  const scoped = { scope: "own", filter: {} } as const;
  const prices = { priceDates: [Date.UTC(2026, 0, 1)], thresholds: [200_000] };
  const buckets: unknown[] = [];
  for (const by of GROUPS) {
    for (const subagents of ["separate", "rolled-up"] as const) {
      const answer = await store.usage({ ...scoped, ...prices, by, subagents });
      buckets.push({ by, subagents, buckets: sorted(answer.buckets), of: sorted(answer.sessions) });
    }
  }
  const { items } = await store.sessions({ ...scoped, sort: "newest" });
  const coverage = await store.coverage({ scope: "own" });
  const tools = await store.tools(scoped);
  return {
    sessions: sorted(items),
    buckets,
    replies: sorted(await store.replies(scoped)),
    tools: { ...tools, tools: sorted(tools.tools), files: sorted(tools.files) },
    chains: sorted(await store.chains("own")),
    coverage: Object.fromEntries(
      Object.entries(coverage).map(([name, value]) => [
        name,
        Array.isArray(value) ? sorted(value) : value,
      ]),
    ),
  };
}

const DAY_MS = 86_400_000;

/** Asks every question of a usage report and sorts the answers. */
export async function usageAnswers(
  store: UsageReads,
): Promise<Record<string, unknown> & { diagnostics: Diagnostic[] }> {
  const scoped = { scope: "own", filter: {} } as const;
  const times = await store.times(scoped);
  const days = times.days.map((day) => ({ from: day * DAY_MS, to: (day + 1) * DAY_MS }));
  const asked = {
    ...scoped,
    priceDates: [Date.UTC(2026, 0, 1), Date.UTC(2026, 5, 1)],
    thresholds: [20_000, 200_000],
    ranges: [...days, "timeless"] as const,
    subagents: "separate",
  } as const;
  const groups = [[], ["range"], ["session", "standing"], ["source", "generation"], ["root"]];
  const buckets: unknown[] = [];
  for (const by of [...groups, ["kind", "range"]] as BucketKey[][]) {
    const answer = await store.usage({ ...asked, by });
    // A usage report uses only the keys: labels may differ.
    const sessions = answer.sessions.map(({ groups: keys, ...rest }) => {
      return { ...rest, groups: keys.map(({ key }) => key) };
    });
    const sums = answer.buckets.map(({ groups: keys, ...rest }) => {
      return { ...rest, groups: keys.map(({ key }) => key) };
    });
    buckets.push({ by, buckets: sorted(sums), sessions: sorted(sessions) });
  }
  const { files, sessions, diagnostics } = await store.coverage({ scope: "own" });
  return {
    times,
    buckets,
    odd: sorted(await store.replies({ ...scoped, only: "odd" })),
    unrecorded: await store.unrecorded(scoped),
    coverage: [sorted(files), sorted(sessions)],
    diagnostics: sorted(diagnostics) as Diagnostic[],
  };
}

/** Sorts items and their keys, without root ids, which differ between stores. */
function sorted(list: readonly unknown[]): unknown[] {
  const texts = list.map((value) => JSON.stringify(ordered(value)));
  return texts.toSorted().map((text) => JSON.parse(text) as unknown);
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== "rootId");
  return Object.fromEntries(
    members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, ordered(inner)]),
  );
}
