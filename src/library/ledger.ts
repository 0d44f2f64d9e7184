import type { PriceFile } from "../ingest/price-file.ts";
import type { Shelf } from "../ingest/session-source.ts";
import type { Skimmed } from "../ingest/skim-homes.ts";
import type { SumHow } from "../ingest/sum-homes.ts";
import type { Session } from "../core/session.ts";
import type { CallRecord, CallsQuery } from "../queries/calls.ts";
import { Calendar } from "../queries/calendar.ts";
import type { Coverage } from "../queries/coverage.ts";
import { coverageOf, readCounts } from "../queries/coverage.ts";
import { readDays, sumDays } from "../queries/day-sums.ts";
import type { Explanation } from "../queries/explain.ts";
import { foldDays, reportFolded } from "../queries/folded-usage.ts";
import type { LedgerFilter } from "../queries/ledger.ts";
import type { OverviewAsked, Spending } from "../queries/overview.ts";
import type { PriceBook } from "../queries/prices.ts";
import { isAdditive, isDaily, isRoughEnough } from "../queries/rough.ts";
import type { ToolsReport } from "../queries/tools.ts";
import type { UsageQuery, UsageReport } from "../queries/usage.ts";
import { reportUsage } from "../queries/usage.ts";
import type { UsageBasis } from "../queries/usage-basis.ts";
import type { SumsTold } from "./price-book.ts";
import { loadPrices } from "./price-book.ts";
import type { Source } from "../sources/source.ts";
import { zoneSign } from "./timezone-key.ts";

interface DayHow {
  nameIn: (zone: string) => string;
  make: SumHow["make"];
}

/**
 * The part of the library that answers questions about usage. What adds it up is there at once;
 * all else is loaded when it is asked for: a shell parser need not be there to list sessions.
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
    return (await this.#skimmed(query)) ?? this.#recalled(query);
  }

  /** While nothing is kept, what it cost is told sooner than all else. */
  async #skimmed(query: UsageQuery): Promise<UsageReport | undefined> {
    if (!isRoughEnough(query)) return undefined;
    const calendar = new Calendar(query.timezone);
    const unkept = this.#shelf.unkept?.();
    if (!unkept) return undefined;
    if (isDaily(query, calendar)) {
      const summed = await unkept.sum(() => this.#daily(calendar, query.timezone));
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
    const report = (await this.#fromRuns(query)) ?? (await this.#fromDays(query));
    return keep(report ?? (await this.#report(await this.#basis(), query)));
  }

  /** From sums over many sessions each: one that changes concerns only those it was with. */
  async #fromRuns(query: UsageQuery): Promise<UsageReport | undefined> {
    const shelf = this.#shelf;
    if (!shelf.remembered || !isAdditive(query)) return undefined;
    const calendar = new Calendar(query.timezone);
    const { nameIn, make } = await this.#perDay(calendar);
    const name = nameIn(query.timezone ?? zoneSign());
    const { by = ["day"], model, source } = query;
    const wish = { query, calendar, prices: await this.#allPrices() };
    const texts = shelf.remembered({
      name,
      make,
      runs: {
        name: `usage ${JSON.stringify({ by, model, source })} ${name}`,
        fold: (days, like) => foldDays(days, wish, like),
      },
    });
    return texts && reportFolded(texts, await this.#basisOfDays([], this.#coverage()), wish);
  }

  async #fromDays(query: UsageQuery): Promise<UsageReport | undefined> {
    const calendar = new Calendar(query.timezone);
    if (!this.#shelf.remembered || !isDaily(query, calendar)) return undefined;
    const { nameIn, make } = await this.#perDay(calendar);
    const texts = this.#shelf.remembered({ name: nameIn(query.timezone ?? zoneSign()), make });
    return texts && this.#report(await this.#basisOfDays(texts, this.#coverage()), query);
  }

  #coverage(): Coverage {
    return coverageOf(this.#shelf.counts(), this.#shelf.diagnostics());
  }

  async #report(basis: UsageBasis, query: UsageQuery): Promise<UsageReport> {
    return reportUsage(basis, query);
  }

  /** How skimmed sessions are added up by day, also by a second thread. */
  async #daily(calendar: Calendar, timezone: string | undefined): Promise<SumHow> {
    const told: SumsTold = { timezone, own: this.#ownPrices() };
    const { nameIn, make } = await this.#perDay(calendar);
    let name: string | undefined;
    return { name: () => (name ??= nameIn(calendar.timezone)), make, told };
  }

  /** Sums by day are others in another zone, and at other prices: their name tells. */
  async #perDay(calendar: Calendar): Promise<DayHow> {
    const prices = await this.#allPrices();
    return {
      nameIn: (zone) => `days ${zone} ${prices.stamp}`,
      make: (digest) => sumDays(digest, calendar, prices),
    };
  }

  async #allPrices(): Promise<PriceBook> {
    return (this.#prices ??= await loadPrices(this.#ownPrices()));
  }

  async #basisOfDays(texts: readonly string[], coverage: Coverage): Promise<UsageBasis> {
    const sessions = texts.map(readDays);
    return {
      digests: sessions.map(({ digest }) => digest),
      sums: sessions.flatMap(({ requests }) => requests),
      timeless: sessions.reduce((sum, { timeless }) => sum + timeless, 0),
      prices: await this.#allPrices(),
      coverage,
      blindSpots: this.#blindSpots(),
    };
  }

  async calls(query: CallsQuery): Promise<Iterable<CallRecord>> {
    const { callsOf } = await import("../queries/calls.ts");
    return callsOf({ ...(await this.#basis()), read: this.#read }, query);
  }

  async tools(filter: LedgerFilter): Promise<ToolsReport> {
    const { known, keep } = this.#shelf.recall<ToolsReport>(`tools ${JSON.stringify(filter)}`);
    if (known) return known;
    const { reportTools } = await import("../queries/tools.ts");
    return keep(reportTools(await this.#basis(), filter));
  }

  async explain(key: string, timezone: string | undefined): Promise<Explanation> {
    const { explain } = await import("../queries/explain.ts");
    return explain({ ...(await this.#basis()), read: this.#read }, key, timezone);
  }

  async overview(asked: OverviewAsked): Promise<Spending> {
    // It speaks of days: until the next one it stays as it is.
    const today = new Calendar(asked.timezone).dayOf(asked.nowMs);
    const around = [today, asked.timezone ?? zoneSign(), this.#ownPrices() ?? null];
    const { known, keep } = this.#shelf.recall<Spending>(`overview ${JSON.stringify(around)}`);
    if (known) return known;
    const { overviewOf } = await import("../queries/overview.ts");
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
      prices: await this.#allPrices(),
      coverage: coverageOf(counts, diagnostics),
      blindSpots: this.#blindSpots(),
    };
  }

  #blindSpots(): UsageBasis["blindSpots"] {
    return new Map(this.#sources.map(({ id, blindSpots }) => [id, blindSpots]));
  }
}
