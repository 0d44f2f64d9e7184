import { barelyDigest } from "../intake/rough-digest.ts";
import type { Digest } from "../model/digest.ts";
import type { Standing } from "../model/message.ts";
import { instantOf } from "../model/instant.ts";
import { optional } from "../model/optional.ts";
import type { UsageFact } from "../model/usage-fact.ts";
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
  for (const paid of usage) {
    const request = paidRequest(paid, digest, prices);
    const { fact, at, cost, why } = request;
    if (fact.oddities) {
      odd.push({ fact, ...optional("at", at), ...optional("cost", cost), ...optional("why", why) });
      continue;
    }
    const file = files.length > 1 ? numberOf(files, fact.place.file) : 0;
    const row = rows.find(request, file);
    if (row) addTo(row, fact, cost);
    else rows.add(newRow([at ?? 0, fact.model ?? 0, file, fact.standing], fact, { cost, why }));
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

function numberOf(files: DaySums["files"], wish: string): number {
  const index = files.findIndex(([path]) => path === wish);
  return Math.max(0, index);
}

/** Rows by day, file, standing, model, and why there is no price. */
class DayRows {
  readonly all: DayRow[] = [];
  readonly #calendar: Calendar;
  readonly #byKey = new Map<string, DayRow>();
  #key = "";
  #last: { row?: DayRow; quarter: number; file: number; request: PaidRequest } | undefined;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  /** What follows is mostly of the same: then no key is made. Else the key is ready for `add`. */
  find(request: PaidRequest, file: number): DayRow | undefined {
    const { at, fact, why } = request;
    const instant = at === undefined ? Number.NaN : instantOf(at);
    const quarter = Math.floor(instant / QUARTER_MS);
    const last = this.#last;
    if (
      last?.row &&
      last.quarter === quarter &&
      last.file === file &&
      isLike(last.request, request)
    ) {
      return last.row;
    }
    const day = this.#calendar.dayOf(instant);
    this.#key = `${day} ${file} ${fact.standing} ${fact.model ?? 0} ${why ?? ""}`;
    const row = this.#byKey.get(this.#key);
    this.#last = { quarter, file, request, ...optional("row", row) };
    return row;
  }

  add(row: DayRow): void {
    this.all.push(row);
    this.#byKey.set(this.#key, row);
    if (this.#last) this.#last.row = row;
  }
}

function isLike(a: PaidRequest, b: PaidRequest): boolean {
  return a.fact.model === b.fact.model && a.fact.standing === b.fact.standing && a.why === b.why;
}

function newRow(
  [at, model, file, standing]: [string | 0, string | 0, number, Standing],
  fact: UsageFact,
  { cost, why }: Pick<PaidRequest, "cost" | "why">,
): DayRow {
  const { input, fresh, cached, output, thoughts, tool, total } = fact;
  const { micro = 0, rest = 0 } = cost ?? {};
  const counts = [input, fresh, cached, output, thoughts, tool, total] as const;
  return [at, model, file, standing, 1, ...counts, micro, rest, why ?? 0];
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
