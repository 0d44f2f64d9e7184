import type { Group } from "../../core/usage/usage-fact.ts";
import type { PeriodRange } from "../calendar.ts";
import { Calendar, QUARTER_MS } from "../calendar.ts";
import type { Grouping, StoredGrouping } from "../usage/groupings.ts";
import { isPeriod, storedGrouping } from "../usage/groupings.ts";
import type { BucketPlan, GroupPlan } from "../usage/ledger.ts";
import { planGroups } from "../usage/ledger.ts";
import { combinations } from "./small-groups.ts";
import { DAY_MS } from "../../core/instant.ts";

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

/** Groupings besides time, and filters: each takes one key or name. */
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

/** The name of all groups that are too small, added together; a group may have the same one. */
export const SMALL = "small groups";

/** A stored group in the table of its month. */
export interface TablePart {
  month: string;
  /** For each key of the table, the groups it is in: people may be in several teams. */
  keys: readonly (readonly string[])[];
  /** The cells that it is in, as far as they match the filters. */
  cells: readonly { keys: readonly string[]; groups: Group[] }[];
}

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
  readonly parts: readonly TeamFilter[];
  readonly filters: readonly TeamFilter[];
  readonly #asked: TeamUsageRequest;
  readonly #isStrict: boolean;
  readonly #periods: readonly ("day" | "week" | "month")[];
  readonly #times: GroupPlan;
  readonly #weeks: readonly PeriodRange[];

  constructor(asked: TeamUsageRequest, { smallestGroup, nowMs }: ReportPolicy) {
    this.#asked = asked;
    this.#isStrict = smallestGroup > 1;
    [this.sinceMs, this.untilMs] = this.#isStrict ? wholeMonths(asked, nowMs) : quarters(asked);
    this.calendar = new Calendar(this.#isStrict ? "UTC" : asked.timezone);
    this.filters = TEAM_FILTERS.filter((name) => asked[name] !== undefined);
    const named = asked.by.filter((key) => !isTime(key));
    const parts = new Set<TeamGrouping>([...named, ...this.filters]);
    if (this.#isStrict && parts.has("model")) parts.add("agent");
    // Always in the same order, so that the same cells are hidden.
    this.parts = TEAM_FILTERS.filter((key) => parts.has(key));
    this.#periods = this.#isStrict ? this.#inMonths() : asked.by.filter(isTime).slice(0, 1);
    this.#times = planGroups(this.#periods, this.calendar, this.#days());
    const isByDay = this.#periods[1] === "day";
    this.#weeks = isByDay ? this.calendar.periods(this.#days(), "week") : [];
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

  /** Splits a stored group into its month, its keys in that month's table, and its cells there. */
  read(stored: readonly Group[]): TablePart {
    const [range, rest] =
      this.#periods.length === 0 ? [[], stored] : [stored.slice(0, 1), stored.slice(1)];
    const times = range.length === 0 ? [] : this.#times.pathOf(range);
    const finer = this.#isStrict ? this.#withWeek(times.slice(1)) : [];
    const month = this.#isStrict ? (times[0]?.key ?? "") : "";
    const time = times.at(-1) ?? { key: month };
    const own = rest.map((group, at) => (this.parts[at] === "team" ? teamsOf(group) : [group]));
    const keys = [...finer, ...own.map((list) => list.map(({ key }) => key))];
    const cells = combinations(own).filter((cell) => this.#isMeant(cell));
    return {
      month,
      keys,
      cells: cells.map((cell) => {
        const groups = this.#asked.by.map((key) => {
          return isTime(key) ? time : (cell[this.parts.indexOf(key)] ?? { key: "" });
        });
        return { keys: [...finer.flat(), ...cell.map(({ key }) => key)], groups };
      }),
    };
  }

  /** Sums of weeks are shown, too: a day must not be what is left of one. */
  #withWeek(times: readonly Group[]): string[][] {
    if (this.#periods[1] !== "day") return times.map(({ key }) => [key]);
    return times.flatMap(({ key }) => {
      const ms = Date.parse(`${key}T00:00:00Z`);
      const week = this.#weeks.find(({ from, to }) => from <= ms && ms < to);
      return [[week?.key ?? ""], [key]];
    });
  }

  /** The number of keys for time that a cell begins with. */
  get #timeKeys(): number {
    if (!this.#isStrict) return 0;
    return this.#periods[1] === "day" ? 2 : Math.max(0, this.#periods.length - 1);
  }

  #placeOf(part: TeamFilter): number {
    return this.#timeKeys + this.parts.indexOf(part);
  }

  /** Keys that are parts of another one, and never asked without it: days of weeks, and models. */
  get within(): number[][] {
    return [
      ...(this.#timeKeys === 2 ? [[1, 0]] : []),
      ...(this.parts.includes("model") ? [[this.#placeOf("model"), this.#placeOf("agent")]] : []),
    ];
  }

  /** Positions of the filters among the keys of a cell. */
  get narrowed(): number[] {
    const named = new Set(this.filters);
    if (this.#isStrict && named.has("model")) named.add("agent");
    return [...named].map((name) => this.#placeOf(name));
  }

  /** Whether a cell matches the filters. */
  #isMeant(groups: readonly Group[]): boolean {
    return this.filters.every((name) => {
      const { key, label } = groups[this.parts.indexOf(name)] ?? { key: "" };
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

/** The store returns all teams that a person is in, as a JSON list. */
function teamsOf({ key }: Group): Group[] {
  const teams = JSON.parse(key) as string[];
  return (teams.length === 0 ? [""] : teams).map((name) => ({ key: name }));
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
