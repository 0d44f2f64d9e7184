import type { PriceFile } from "../intake/price-file.ts";
import type { Shelf, Unkept } from "../intake/shelf.ts";
import type { Skimmed } from "../intake/skim-homes.ts";
import type { SumHow } from "../intake/sum-homes.ts";
import type { Session } from "../model/session.ts";
import type { CallRecord, CallsQuery } from "../projections/calls.ts";
import { Calendar } from "../projections/calendar.ts";
import type { Coverage } from "../projections/coverage.ts";
import { coverageOf, readCounts } from "../projections/coverage.ts";
import type { Explanation } from "../projections/explain.ts";
import type { LedgerFilter } from "../projections/ledger.ts";
import type { OverviewAsked, Spending } from "../projections/overview.ts";
import type { PriceBook } from "../projections/prices.ts";
import { isDaily, isRoughEnough } from "../projections/rough.ts";
import type { ToolsReport } from "../projections/tools.ts";
import type { UsageQuery, UsageReport } from "../projections/usage.ts";
import type { UsageBasis } from "../projections/usage-basis.ts";
import type { SumsTold } from "./price-book.ts";
import { loadPrices } from "./price-book.ts";
import type { Source } from "../sources/source.ts";
import { zoneSign } from "./zone-sign.ts";

/**
 * The part of the library that answers questions about usage. Each answer is loaded when it is
 * asked for: a shell parser and a price table need not be there to list sessions.
 */
export class LedgerDesk {
  readonly #shelf: Shelf;
  readonly #sources: readonly Source[];
  readonly #ownPrices: () => PriceFile | undefined;
  #prices: PriceBook | undefined;

  constructor(shelf: Shelf, sources: readonly Source[], ownPrices: () => PriceFile | undefined) {
    this.#shelf = shelf;
    this.#sources = sources;
    this.#ownPrices = ownPrices;
  }

  async usage(query: UsageQuery): Promise<UsageReport> {
    const unkept = isRoughEnough(query) ? this.#shelf.unkept?.() : undefined;
    return (unkept && (await this.#skimmed(query, unkept))) ?? this.#recalled(query);
  }

  /** While nothing is kept, what it cost is told sooner than all else. */
  async #skimmed(query: UsageQuery, unkept: Unkept): Promise<UsageReport | undefined> {
    const calendar = new Calendar(query.timezone);
    if (isDaily(query, calendar)) {
      const summed = await unkept.sum(() => this.#daily(calendar));
      if (!summed) return undefined;
      const coverage = coverageOf(readCounts(summed.files), summed.diagnostics);
      return this.#report(await this.#basisOfDays(summed.texts, coverage), query);
    }
    const skimmed = await unkept.skim();
    return skimmed && this.#report(await this.#basis(skimmed), query);
  }

  /** What was answered before; else worked out, from sums by day where they do. */
  async #recalled(query: UsageQuery): Promise<UsageReport> {
    const shelf = this.#shelf;
    // The machine may be in another zone the next time, and prices may be others.
    const around = [query, query.timezone ?? zoneSign(), this.#ownPrices() ?? null];
    const { known, keep } = shelf.recall<UsageReport>(`usage ${JSON.stringify(around)}`);
    if (known) return known;
    const texts = await this.#rememberedDays(query);
    if (!texts) return keep(await this.#report(await this.#basis(), query));
    const coverage = coverageOf(shelf.counts(), shelf.diagnostics());
    return keep(await this.#report(await this.#basisOfDays(texts, coverage), query));
  }

  async #rememberedDays(query: UsageQuery): Promise<string[] | undefined> {
    const calendar = new Calendar(query.timezone);
    if (!this.#shelf.remembered || !isDaily(query, calendar)) return undefined;
    const { name, make } = await this.#daily(calendar);
    return this.#shelf.remembered(name, make);
  }

  async #report(basis: UsageBasis, query: UsageQuery): Promise<UsageReport> {
    const { reportUsage } = await import("../projections/usage.ts");
    return reportUsage(basis, query);
  }

  /** How sessions are added up by day. */
  async #daily(calendar: Calendar): Promise<SumHow> {
    const { sumDays } = await import("../projections/day-sums.ts");
    const own = this.#ownPrices();
    const prices = (this.#prices ??= await loadPrices(own));
    const { timezone } = calendar;
    const told: SumsTold = { timezone, own };
    return {
      name: `days ${timezone} ${prices.stamp}`,
      make: (digest) => sumDays(digest, calendar, prices),
      second: { script: "skim-worker.js", told },
    };
  }

  async #basisOfDays(texts: readonly string[], coverage: Coverage): Promise<UsageBasis> {
    const { readDays } = await import("../projections/day-sums.ts");
    const sessions = texts.map(readDays);
    return {
      digests: sessions.map(({ digest }) => digest),
      sums: sessions.flatMap(({ requests }) => requests),
      timeless: sessions.reduce((sum, { timeless }) => sum + timeless, 0),
      prices: (this.#prices ??= await loadPrices(this.#ownPrices())),
      coverage,
      blindSpots: this.#blindSpots(),
    };
  }

  async calls(query: CallsQuery): Promise<Iterable<CallRecord>> {
    const { callsOf } = await import("../projections/calls.ts");
    return callsOf({ ...(await this.#basis()), read: this.#read }, query);
  }

  async tools(filter: LedgerFilter): Promise<ToolsReport> {
    const { known, keep } = this.#shelf.recall<ToolsReport>(`tools ${JSON.stringify(filter)}`);
    if (known) return known;
    const { reportTools } = await import("../projections/tools.ts");
    return keep(reportTools(await this.#basis(), filter));
  }

  async explain(key: string, timezone: string | undefined): Promise<Explanation> {
    const { explain } = await import("../projections/explain.ts");
    return explain({ ...(await this.#basis()), read: this.#read }, key, timezone);
  }

  async overview(asked: OverviewAsked): Promise<Spending> {
    // It speaks of days: until the next one it stays as it is.
    const today = new Calendar(asked.timezone).dayOf(asked.nowMs);
    const around = [today, asked.timezone ?? zoneSign(), this.#ownPrices() ?? null];
    const { known, keep } = this.#shelf.recall<Spending>(`overview ${JSON.stringify(around)}`);
    if (known) return known;
    const { overviewOf } = await import("../projections/overview.ts");
    return keep(overviewOf(await this.#basis(), asked));
  }

  readonly #read = (id: string): Session | undefined => this.#shelf.read(id);

  async #basis(skimmed?: Skimmed): Promise<UsageBasis> {
    const shelf = this.#shelf;
    const { digests, diagnostics } = skimmed ?? {
      digests: shelf.digests(),
      diagnostics: shelf.diagnostics(),
    };
    const counts = skimmed ? readCounts(skimmed.files) : shelf.counts();
    return {
      digests,
      prices: (this.#prices ??= await loadPrices(this.#ownPrices())),
      coverage: coverageOf(counts, diagnostics),
      blindSpots: this.#blindSpots(),
    };
  }

  #blindSpots(): UsageBasis["blindSpots"] {
    return new Map(this.#sources.map(({ id, blindSpots }) => [id, blindSpots]));
  }
}
