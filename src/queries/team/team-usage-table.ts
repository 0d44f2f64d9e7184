import type { Group } from "../../core/usage/usage-fact.ts";
import { Calendar, QUARTER_MS } from "../calendar.ts";
import type { Grouping, StoredGrouping } from "../usage/groupings.ts";
import { isPeriod, storedGrouping } from "../usage/groupings.ts";
import type { BucketPlan, GroupPlan } from "../usage/ledger.ts";
import { planGroups } from "../usage/ledger.ts";

export const TEAM_GROUPINGS = [
  "day",
  "week",
  "month",
  "team",
  "person",
  "project",
  "agent",
  "model",
] as const;
export type TeamGrouping = (typeof TEAM_GROUPINGS)[number];

/** Filters; each takes one key or name. */
export const TEAM_FILTERS = ["team", "person", "project", "agent", "model"] as const;
type TeamFilter = (typeof TEAM_FILTERS)[number];

export interface TeamUsageRequest extends Partial<Record<TeamFilter, string>> {
  by: readonly TeamGrouping[];
  sinceMs: number;
  untilMs: number;
  timezone?: string;
}

/** The size of the smallest group to report, and the current time. */
export interface ReportPolicy {
  smallestGroup: number;
  nowMs: number;
}

export interface TeamUsagePlan extends Omit<BucketPlan, "by"> {
  by: readonly (StoredGrouping | "team" | "person")[];
  team?: string;
}

/** The key for all groups that are too small, added together. */
export const SMALL = "small groups";

const DAY_MS = 86_400_000;

/**
 * Translates a team query for the store. With a smallest group, every month is a separate table,
 * grouped by all groupings and all filters. So two queries never differ by only a few days or by
 * what a filter leaves out, which could reveal a small group. Grouping by model includes the agent,
 * because an agent's sum is the sum of its models.
 */
export class TeamUsageTable {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly calendar: Calendar;
  /** The groupings besides time. */
  readonly parts: readonly Exclude<TeamGrouping, "day" | "week" | "month">[];
  readonly filters: readonly TeamFilter[];
  readonly #asked: TeamUsageRequest;
  readonly #isStrict: boolean;
  readonly #periods: readonly ("day" | "week" | "month")[];
  readonly #times: GroupPlan;

  constructor(asked: TeamUsageRequest, { smallestGroup, nowMs }: ReportPolicy) {
    this.#asked = asked;
    this.#isStrict = smallestGroup > 1;
    [this.sinceMs, this.untilMs] = this.#isStrict ? wholeMonths(asked, nowMs) : quarters(asked);
    this.calendar = new Calendar(this.#isStrict ? "UTC" : asked.timezone);
    this.filters = TEAM_FILTERS.filter((name) => asked[name] !== undefined);
    const named = asked.by.filter((key) => !isTime(key));
    const parts = new Set([...named, ...this.filters]);
    if (this.#isStrict && parts.has("model")) parts.add("agent");
    this.parts = [...parts];
    this.#periods = this.#isStrict ? this.#inMonths() : asked.by.filter(isTime).slice(0, 1);
    this.#times = planGroups(this.#periods, this.calendar, this.#days());
  }

  #inMonths(): ("day" | "week" | "month")[] {
    const period = this.#asked.by.find(isTime);
    const isOneMonth = instant(this.untilMs - 1).startsWith(instant(this.sinceMs).slice(0, 7));
    if (period === undefined && isOneMonth) return [];
    return period === undefined || period === "month" ? ["month"] : ["month", period];
  }

  #days(): number[] {
    const first = Math.floor(this.sinceMs / DAY_MS);
    const last = Math.floor((this.untilMs - 1) / DAY_MS);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  }

  get query(): Pick<TeamUsagePlan, "by" | "ranges"> {
    const by = this.parts.map((key) => (isOfPeople(key) ? key : storedGrouping(key)));
    if (this.#periods.length === 0) return { by };
    return { by: ["range", ...by], ranges: this.#times.ranges };
  }

  /** Splits a stored group into its month, its cell keys in that month's table, and its groups. */
  read(stored: readonly Group[]): { month: string; keys: string[]; groups: Group[] } {
    const [range, rest] =
      this.#periods.length === 0 ? [[], stored] : [stored.slice(0, 1), stored.slice(1)];
    const times = range.length === 0 ? [] : this.#times.pathOf(range);
    const finer = this.#isStrict ? times.slice(1) : [];
    const month = this.#isStrict ? (times[0]?.key ?? "") : "";
    const time = times.at(-1) ?? { key: month };
    const groups = this.#asked.by.map((key) => {
      return isTime(key) ? time : (rest[this.parts.indexOf(key)] ?? { key: "" });
    });
    return { month, keys: [...finer, ...rest].map(({ key }) => key), groups };
  }

  /** Positions of the filters among the keys of a cell. */
  get narrowed(): number[] {
    const first = this.#isStrict ? Math.max(0, this.#periods.length - 1) : 0;
    return this.filters.map((name) => first + this.parts.indexOf(name));
  }

  /** Whether a stored group matches the filters. */
  isMeant(stored: readonly Group[]): boolean {
    const rest = stored.slice(this.#periods.length === 0 ? 0 : 1);
    return this.filters.every((name) => {
      const { key, label } = rest[this.parts.indexOf(name)] ?? { key: "" };
      return [key, label].includes(this.#asked[name] ?? "");
    });
  }

  /** The groups of the joined row: the month if grouped by month, otherwise `SMALL`. */
  joined(groups: readonly Group[]): Group[] {
    return this.#asked.by.map((key, at) => {
      return key === "month" ? (groups[at] ?? { key: SMALL }) : { key: SMALL };
    });
  }
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

function isTime(key: TeamGrouping): key is "day" | "week" | "month" {
  return isPeriod(key as Grouping);
}

function isOfPeople(key: TeamGrouping): key is "team" | "person" {
  return key === "team" || key === "person";
}

/** Buckets are quarter hours, and single replies must not be visible to others. */
function quarters({ sinceMs, untilMs }: TeamUsageRequest): [number, number] {
  return [
    Math.floor(sinceMs / QUARTER_MS) * QUARTER_MS,
    Math.ceil(untilMs / QUARTER_MS) * QUARTER_MS,
  ];
}

/** Extends the range to whole months, up to and excluding today. */
function wholeMonths({ sinceMs, untilMs }: TeamUsageRequest, nowMs: number): [number, number] {
  const first = new Date(sinceMs);
  const last = new Date(Math.max(untilMs - 1, sinceMs));
  const from = Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), 1);
  const to = Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1);
  return [from, Math.max(from, Math.min(to, Math.floor(nowMs / DAY_MS) * DAY_MS))];
}
