import { wrongUsage } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import { Calendar } from "../queries/calendar.ts";
import type { CallFilter, SessionFilter } from "../core/filter/filter.ts";
import { TOOL_OUTCOMES } from "../core/session/tool-call.ts";
import type { PageRequest } from "../library/session-pages.ts";
import { SESSION_ORDERS } from "../library/session-pages.ts";
import type { ToolsQuery } from "../queries/tools.ts";
import type { Grouping } from "../queries/usage/groupings.ts";
import { GROUPINGS } from "../queries/usage/groupings.ts";
import type { LedgerFilter, Subagents } from "../queries/usage/ledger.ts";
import type { Sort, UsageQuery } from "../queries/usage/usage.ts";
import { SORTS } from "../queries/usage/usage.ts";
import { DAY_MS } from "../core/instant.ts";

/** The query parameters of a request; invalid values are rejected. */
export class Question {
  readonly #values: URLSearchParams;

  constructor(values: URLSearchParams) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return value === null || value === "" ? undefined : value;
  }

  needed(name: string): string {
    const text = this.text(name);
    if (text !== undefined) return text;
    throw wrongUsage(`"${name}" is missing.`);
  }

  list(name: string): string[] {
    return this.text(name)?.split(",") ?? [];
  }

  /** A whole number, zero included. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw wrongUsage(`"${name}" must be a whole number, not "${text}".`);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    const found = choices.find((item) => item === text);
    if (found !== undefined || text === undefined) return found;
    throw wrongUsage(`"${name}" must be one of ${choices.join(", ")}.`);
  }

  /** Whether to mask secrets in the answer. */
  isMasked(): boolean {
    return this.choice("mask", ["secrets", "nothing"]) === "secrets";
  }

  timezone(): string | undefined {
    return this.text("timezone");
  }

  /** `agent` and `source` are synonyms. */
  agentFilter(): { source?: string } {
    return optional("source", this.text("agent") ?? this.text("source"));
  }

  /** Filters by a person's own annotations. */
  #ownFilter(): Pick<SessionFilter, "tag" | "star"> {
    const isAsked = this.choice("starred", ["yes"]) !== undefined;
    return { ...optional("tag", this.text("tag")), ...(isAsked ? { star: "starred" } : {}) };
  }

  callFilter(): CallFilter {
    return {
      ...optional("tool", this.text("tool")),
      ...optional("server", this.text("server")),
      ...optional("command", this.text("command")),
      ...optional("outcome", this.choice("outcome", TOOL_OUTCOMES)),
      ...optional("path", this.text("path")),
    };
  }

  page(): PageRequest {
    return {
      ...optional("order", this.choice("order", SESSION_ORDERS)),
      ...optional("direction", this.choice("direction", ["up", "down"] as const)),
      ...optional("offset", this.count("offset")),
      ...optional("limit", this.count("limit")),
    };
  }

  sessionFilter(): SessionFilter {
    return {
      ...this.callFilter(),
      ...this.#ownFilter(),
      ...optional("project", this.text("project")),
      ...optional("model", this.text("model")),
      ...optional("status", this.text("status")),
      ...optional("kind", this.text("kind")),
      ...this.agentFilter(),
      ...this.#period(),
    };
  }

  ledgerFilter(): LedgerFilter {
    return {
      ...optional("project", this.text("project")),
      ...optional("model", this.text("model")),
      ...optional("session", this.text("session")),
      ...this.#ownFilter(),
      ...optional("status", this.text("status")),
      ...this.agentFilter(),
      ...this.#period(),
    };
  }

  toolsQuery(): ToolsQuery {
    return { ...this.ledgerFilter(), ...optional("files", this.count("files")) };
  }

  usageQuery(): UsageQuery {
    const by = this.list("by").map((name) => this.#grouping(name));
    const [first, second, ...more] = by;
    if (more.length > 0) throw wrongUsage('"by" takes one or two groupings.');
    const subagents: readonly Subagents[] = ["separate", "rolled-up"];
    return {
      ...this.ledgerFilter(),
      ...(first ? { by: second ? ([first, second] as const) : ([first] as const) } : {}),
      ...optional("timezone", this.timezone()),
      ...optional("sort", this.choice<Sort>("sort", SORTS)),
      ...optional("limit", this.count("limit")),
      ...optional("subagents", this.choice("subagents", subagents)),
    };
  }

  #grouping(name: string): Grouping {
    const found = GROUPINGS.find((item) => item === name);
    if (found) return found;
    throw wrongUsage(`"by" must be one of ${GROUPINGS.join(", ")}.`);
  }

  #period(): { sinceMs?: number; untilMs?: number } {
    return {
      ...optional("sinceMs", this.#instant("since", 0)),
      ...optional("untilMs", this.#instant("until", 1)),
    };
  }

  /** `2026-11-15` is a day in the given zone (`until` includes it); otherwise an instant. */
  #instant(name: string, daysOn: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
    const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
    const midnight = Date.parse(isDay ? `${text}T00:00:00Z` : text);
    if (Number.isNaN(midnight) || !(isDay || isInstant)) {
      throw wrongUsage(`"${name}" must be like 2026-11-15 or 2026-11-15T09:30:00Z, not "${text}".`);
    }
    if (!isDay) return midnight;
    const day = new Date(midnight + daysOn * DAY_MS).toISOString().slice(0, 10);
    return new Calendar(this.timezone()).startOf(day);
  }
}
