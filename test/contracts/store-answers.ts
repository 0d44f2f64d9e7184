import type { LedgerFilter, SessionFilter } from "../../src/core/filter/filter.ts";
import { SESSION_SORTS } from "../../src/core/filter/filter.ts";
import type { SearchExpression } from "../../src/core/filter/search-expression.ts";
import { TEXT_ROLES } from "../../src/core/session/text.ts";
import { RANKED_TEXTS } from "../../src/store/reads.ts";
import type {
  BucketKey,
  BucketQuery,
  ExpiryQuery,
  Reads,
  Scope,
  TextQuery,
} from "../../src/store/store.ts";
import type { Dice } from "./random-home.ts";
import { OTHER_ROOT, randomText } from "./random-home.ts";
import { ROOT } from "./store-samples.ts";

const KEYS: readonly BucketKey[] = [
  "range",
  "model",
  "source",
  "project",
  "session",
  "kind",
  "status",
  "root",
  "tool",
  "mcp",
  "standing",
  "purpose",
  "generation",
];
const QUARTER = 900_000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 1);

/** One random query of each kind. */
export interface Asked {
  scope: Scope;
  ledger: LedgerFilter;
  list: SessionFilter;
  usage: BucketQuery;
  text: TextQuery;
  named: string;
  expiry: ExpiryQuery;
}

export function randomQuestions(dice: Dice): Asked {
  const scope: Scope = dice.pick(["own", "own", [1], [1, 2], [2], []]);
  const ledger = randomLedger(dice);
  return {
    scope,
    ledger,
    list: randomFilter(dice),
    usage: randomUsage(dice, scope, ledger),
    text: randomSearch(dice, scope),
    expiry: randomExpiry(dice, scope),
    named: dice.pick(["r1", "m-r", "key-r2", "agent:s1:r3", "r"]),
  };
}

function randomTime(dice: Dice): number {
  const time = START + dice.roll(3 * 96) * QUARTER;
  if (dice.chance(30)) return time - (time % DAY);
  return dice.chance(70) ? time : time + dice.roll(QUARTER);
}

function randomLedger(dice: Dice): LedgerFilter {
  return {
    ...(dice.chance(20) ? { project: dice.pick(["ledger", "/WORK", "%_ü", "abcdef", "abc"]) } : {}),
    ...(dice.chance(20)
      ? { folder: dice.pick(["/home/ada", "/home/ada/led", "C:\\work", "/home/ada/ledger"]) }
      : {}),
    ...(dice.chance(20) ? { model: dice.pick(["large", "unknown", "models/", "small"]) } : {}),
    ...(dice.chance(20) ? { session: dice.pick(["s1", "s", "S"]) } : {}),
    ...(dice.chance(15) ? { status: "success" } : {}),
    ...(dice.chance(15) ? { source: "agent" } : {}),
    ...(dice.chance(10) ? { tag: dice.pick(["later", "Later", ""]) } : {}),
    ...(dice.chance(10) ? { star: "starred" } : {}),
    ...(dice.chance(30) ? { sinceMs: randomTime(dice) } : {}),
    ...(dice.chance(30) ? { untilMs: randomTime(dice) } : {}),
  };
}

function randomFilter(dice: Dice): SessionFilter {
  const { session: _session, ...filter } = randomLedger(dice);
  return {
    ...filter,
    ...(dice.chance(20) ? { kind: dice.pick(["main", "saved-chat"]) } : {}),
    ...(dice.chance(20) ? { name: dice.pick(["fix", "ÄND", "s1", "ledg", "Zo", "%"]) } : {}),
    ...(dice.chance(20) ? { tool: dice.pick(["bash", "SHELL", "read_file", "read"]) } : {}),
    ...(dice.chance(10) ? { server: dice.pick(["tickets", "Tickets"]) } : {}),
    ...(dice.chance(10) ? { command: dice.pick(["git", "make"]) } : {}),
    ...(dice.chance(15) ? { outcome: dice.pick(["success", "error"]) } : {}),
    ...(dice.chance(15) ? { path: dice.pick(["a.ts", "ledger/a.ts", "c.ts", ".ts"]) } : {}),
  };
}

function randomUsage(dice: Dice, scope: Scope, filter: LedgerFilter): BucketQuery {
  const isRanged = dice.chance(50);
  const keys = isRanged ? KEYS : KEYS.filter((key) => key !== "range");
  return {
    scope,
    filter,
    by: dice.some(3, () => dice.pick(keys)),
    ...(isRanged ? { ranges: dice.some(5, () => randomRange(dice)) } : {}),
    priceDates: dice.some(2, () => randomTime(dice)).toSorted((a, b) => a - b),
    thresholds: dice.pick([[], [128_000], [128_000, 200_000], [150_000], [127_999, 272_000]]),
    subagents: dice.pick(["separate", "rolled-up"]),
    ...(dice.chance(30) ? { only: dice.pick(["buckets", "sessions"]) } : {}),
  };
}

function randomRange(dice: Dice): NonNullable<BucketQuery["ranges"]>[number] {
  if (dice.chance(20)) return "timeless";
  const from = dice.chance(10) ? -DAY : randomTime(dice);
  return { from, to: from + dice.pick([QUARTER, DAY, 3 * DAY]) };
}

function randomExpiry(dice: Dice, scope: Scope): ExpiryQuery {
  const paths = [`${ROOT}/s1.jsonl`, `${OTHER_ROOT}/s2.jsonl`, `${ROOT}/more-1.jsonl`];
  return {
    scope,
    filter: dice.chance(30) ? randomFilter(dice) : {},
    rules: [ROOT, OTHER_ROOT].slice(dice.roll(3)).map((root) => ({
      root,
      kind: dice.pick(["main", "subagent"] as const),
      isByFileTime: dice.chance(50),
      ...(dice.chance(80) ? { maxAgeMs: dice.roll(3) * DAY } : {}),
    })),
    beforeMs: START + dice.roll(6) * DAY,
    unkept: dice.chance(20) ? "all" : new Set(paths.filter(() => dice.chance(30))),
    limit: dice.pick([1, 3, 20]),
  };
}

function randomSearch(dice: Dice, scope: Scope): TextQuery {
  return {
    scope,
    expression: randomExpression(dice, 2),
    ...(dice.chance(30) ? { roles: dice.some(3, () => dice.pick(TEXT_ROLES)) } : {}),
    filter: dice.chance(30) ? randomFilter(dice) : {},
    limit: 1000,
  };
}

function randomExpression(dice: Dice, depth: number): SearchExpression {
  const part = (): SearchExpression => randomExpression(dice, depth - 1);
  const kind =
    depth === 0 ? "phrase" : dice.pick(["phrase", "phrase", "and", "or", "not"] as const);
  if (kind === "not") return { kind, wanted: part(), unwanted: part() };
  if (kind !== "phrase") return { kind, parts: [part(), part()] };
  const words = randomText(dice);
  const from = dice.roll(words.length + 1);
  const text = Array.from(words)
    .slice(from, from + 1 + dice.roll(12))
    .join("");
  return { kind, text: /[\p{L}\p{N}]/u.test(text) ? text : "token", isPrefix: dice.chance(30) };
}

/** All answers to these queries, sorted where the store promises no order. */
export async function answersOf(store: Reads, asked: Asked): Promise<unknown> {
  const { scope, ledger, list, usage, text, named } = asked;
  const found = await store.search(text);
  return {
    sessions: await Promise.all(
      SESSION_SORTS.map((sort) => allPages(store, { scope, filter: list, sort })),
    ),
    summaries: await Promise.all(
      SESSION_SORTS.map((sort) => store.summaries({ scope, filter: list, sort, limit: 3 })),
    ),
    refs: await Promise.all(SESSION_SORTS.map((sort) => store.refs({ scope, filter: list, sort }))),
    located: await store.located({ scope, filter: list, sort: "newest" }),
    expiring: orderedExpiring(await store.expiring(asked.expiry)),
    one: await store.sessions({ scope, filter: {}, sort: "newest", ids: ["s1", "s2"] }),
    started: await store.sessions({ scope, filter: {}, sort: "newest", idStarts: ["s1"] }),
    begun: await store.refs({ scope, filter: list, sort: "newest", idStarts: ["s1", "s3", "–"] }),
    children: await store.sessions({ scope, filter: {}, sort: "newest", parentId: "s1" }),
    usage: orderedUsage(await store.usage(usage)),
    replies: await store.replies({ scope, filter: ledger }),
    named: await store.replies({ scope, filter: {}, named }),
    odd: await store.replies({ scope, filter: {}, only: "odd", sessionIds: ["s1", "s3"] }),
    shared: await store.replies({ scope, filter: ledger, only: "shared-id" }),
    unequal: await store.replies({ scope, filter: ledger, only: "unequal" }),
    times: await store.times({ scope, filter: ledger }),
    unrecorded: await store.unrecorded({ scope, filter: ledger }),
    work: orderedWork(await store.work(["s1", "s2", "s3", "s9"])),
    tools: orderedTools(await store.tools({ scope, filter: ledger })),
    fewFiles: (await store.tools({ scope, filter: {}, files: 2 })).files,
    chains: await store.chains(scope),
    coverage: orderedCoverage(await store.coverage({ scope })),
    annotations: await store.annotations({}),
    annotated: await store.annotations({ sessionIds: ["s1", "s9"] }),
    found: {
      hits: found.hits.map(({ rank: _engine, ...hit }) => JSON.stringify(hit)).toSorted(),
      total: Math.min(found.total, RANKED_TEXTS + 1),
      order: found.order,
      suggestions: found.suggestions,
    },
  };
}

type Listed = Parameters<Reads["sessions"]>[0];

async function allPages(store: Reads, query: Listed): Promise<unknown> {
  const whole = await store.sessions(query);
  const items = [];
  let after: string | undefined;
  for (;;) {
    const page = await store.sessions({ ...query, limit: 2, ...(after ? { after } : {}) });
    items.push(...page.items);
    after = page.next;
    if (after === undefined) break;
  }
  return { whole, items };
}

function orderedUsage({ buckets, sessions }: Awaited<ReturnType<Reads["usage"]>>): unknown {
  return { buckets: ordered(buckets), sessions: ordered(sessions) };
}

function orderedExpiring({ counts, first }: Awaited<ReturnType<Reads["expiring"]>>): unknown {
  return { counts: ordered(counts), first };
}

function orderedWork(rows: Awaited<ReturnType<Reads["work"]>>): unknown {
  return rows.toSorted((a, b) => (`${a.source} ${a.id}` < `${b.source} ${b.id}` ? -1 : 1));
}

function orderedTools({ tools, ...rest }: Awaited<ReturnType<Reads["tools"]>>): unknown {
  return { tools: ordered(tools), ...rest };
}

function orderedCoverage(coverage: Awaited<ReturnType<Reads["coverage"]>>): unknown {
  const { files, parts, sessions, ...rest } = coverage;
  return { files: ordered(files), parts: ordered(parts), sessions: ordered(sessions), ...rest };
}

/** Sorts items by their JSON with sorted keys. */
function ordered(items: readonly object[]): unknown[] {
  const textOf = (item: object): string =>
    JSON.stringify(item, (_key, value: unknown) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    });
  return items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}
