import { barelyDigest } from "../ingest/rough-digest.ts";
import type { Digest } from "../core/digest.ts";
import type { Standing } from "../core/message.ts";
import { instantOf } from "../core/instant.ts";
import { optional } from "../core/optional.ts";
import type { UsageFact } from "../core/usage-fact.ts";
import type { Calendar } from "./calendar.ts";
import { QUARTER_MS } from "./calendar.ts";
import type { Money } from "./cost.ts";
import { addMoney } from "./cost.ts";
import type { PaidRequest } from "./ledger.ts";
import { paidRequest } from "./ledger.ts";
import type { PriceBook } from "./prices.ts";

/**
 * What a session cost, added up by day, model, file and whether it was taken back: enough for most
 * reports, and a fraction of all its requests. Money is exact, so sums of sums are the same sums.
 * Requests whose counts were odd are told one by one, for each is remarked on.
 */
interface DaySums {
  id: string;
  kind: Digest["summary"]["kind"];
  source: string;
  startedAt?: string;
  files: [path: string, root: string, generation: string][];
  rows: DayRow[];
  odd: { fact: UsageFact; at?: string; cost?: Money; why?: string }[];
  /** Requests without any time. */
  timeless: number;
}

type DayRow = [
  at: string | 0,
  model: string | 0,
  file: number,
  standing: Standing,
  requests: number,
  input: number,
  fresh: number,
  cached: number,
  output: number,
  thoughts: number,
  tool: number,
  total: number,
  micro: number,
  rest: number,
  why: string | 0,
];

export function sumDays(digest: Digest, calendar: Calendar, prices: PriceBook): string {
  const { summary, session, usage } = digest;
  const files = session.files.map(({ path, root, generation }): DaySums["files"][number] => {
    return [path, root, generation];
  });
  const rows = new DayRows(calendar);
  const odd: DaySums["odd"] = [];
  for (const fact of usage) {
    const request = paidRequest(fact, digest, prices);
    if (fact.oddities) odd.push(oddRequest(request));
    else rows.add(request, numberOf(session.files, fact.place.file));
  }
  const isTimed = session.startedAt !== undefined;
  const sums: DaySums = {
    id: summary.id,
    kind: summary.kind,
    source: summary.source,
    ...optional("startedAt", session.startedAt),
    files,
    rows: rows.all,
    odd,
    timeless: isTimed ? 0 : usage.filter(({ at }) => at === undefined).length,
  };
  return JSON.stringify(sums);
}

function oddRequest({ fact, at, cost, why }: PaidRequest): DaySums["odd"][number] {
  return { fact, ...optional("at", at), ...optional("cost", cost), ...optional("why", why) };
}

function numberOf(files: Digest["session"]["files"], wish: string): number {
  if (files.length === 1) return 0;
  const index = files.findIndex(({ path }) => path === wish);
  return Math.max(0, index);
}

/** Rows by day, file, standing, model, and why there is no price. */
class DayRows {
  readonly all: DayRow[] = [];
  readonly #calendar: Calendar;
  readonly #byKey = new Map<string, DayRow>();
  #last: { quarter: number; file: number; request: PaidRequest; row: DayRow } | undefined;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  add(request: PaidRequest, file: number): void {
    const { at, fact, cost } = request;
    const instant = at === undefined ? Number.NaN : instantOf(at);
    const quarter = Math.floor(instant / QUARTER_MS);
    let last = this.#last;
    // What follows is mostly of the same: then no key is made.
    if (last?.quarter !== quarter || last.file !== file || !isLike(last.request, request)) {
      const row = this.#find(request, this.#calendar.dayOf(instant), file);
      last = { quarter, file, request, row };
      this.#last = last;
    }
    addTo(last.row, fact, cost);
  }

  #find({ at, fact, why }: PaidRequest, day: string, file: number): DayRow {
    const { standing, model } = fact;
    const key = `${day} ${file} ${standing} ${model ?? 0} ${why ?? ""}`;
    const known = this.#byKey.get(key);
    if (known) return known;
    const row: DayRow = [at ?? 0, model ?? 0, file, standing, 0, ...NOTHING, 0, 0, why ?? 0];
    this.all.push(row);
    this.#byKey.set(key, row);
    return row;
  }
}

const NOTHING = [0, 0, 0, 0, 0, 0, 0] as const;

function isLike(a: PaidRequest, b: PaidRequest): boolean {
  return a.fact.model === b.fact.model && a.fact.standing === b.fact.standing && a.why === b.why;
}

function addTo(row: DayRow, fact: UsageFact, cost: Money | undefined): void {
  row[4] += 1;
  row[5] += fact.input;
  row[6] += fact.fresh;
  row[7] += fact.cached;
  row[8] += fact.output;
  row[9] += fact.thoughts;
  row[10] += fact.tool;
  row[11] += fact.total;
  if (!cost) return;
  const sum = { micro: row[12], rest: row[13] };
  addMoney(sum, cost);
  row[12] = sum.micro;
  row[13] = sum.rest;
}

/** As much of a session as a report by days needs, and its requests as sums. */
export interface DailySession {
  digest: Digest;
  requests: PaidRequest[];
  timeless: number;
}

export function readDays(text: string): DailySession {
  const sums = JSON.parse(text) as DaySums;
  const digest = digestOf(sums);
  const requests = sums.rows.map((row) => requestOf(row, sums, digest));
  for (const { fact, at, cost, why } of sums.odd) {
    requests.push({ fact, digest, at, cost, why, requests: 1 });
  }
  return { digest, requests, timeless: sums.timeless };
}

function requestOf(row: DayRow, { id, files }: DaySums, digest: Digest): PaidRequest {
  const [at, model, file, standing, requests, input, fresh, cached, output, thoughts] = row;
  const [tool, total, micro, rest, why] = row.slice(10) as [
    number,
    number,
    number,
    number,
    string | 0,
  ];
  const time = at === 0 ? undefined : at;
  const fact: UsageFact = {
    dedupKey: "",
    messageId: "",
    sessionId: id,
    ...optional("at", time),
    ...optional("model", model === 0 ? undefined : model),
    standing,
    input,
    fresh,
    cached,
    output,
    thoughts,
    tool,
    total,
    remainder: 0,
    place: { file: files[file]?.[0] ?? "", line: 0, start: 0, end: 0 },
  };
  const isPriced = why === 0;
  const cost = isPriced ? { micro, rest } : undefined;
  return { fact, digest, at: time, cost, why: isPriced ? undefined : why, requests };
}

/** Only what reports by days look at. */
function digestOf({ id, kind, source, startedAt, files }: DaySums): Digest {
  const refs = files.map(([path, root, generation]) => {
    const read = { role: "main", format: "unknown", part: "whole" } as const;
    return { path, root, generation, ...read, sizeBytes: 0, modifiedMs: 0, isCleaned: false };
  });
  return barelyDigest({ id, kind, source, files: refs, ...optional("startedAt", startedAt) });
}
