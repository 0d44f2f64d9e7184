import type { PriceFile } from "./intake/price-file.ts";
import type { Shelf } from "./intake/shelf.ts";
import type { Skimmed } from "./intake/skim-homes.ts";
import type { Session } from "./model/session.ts";
import type { CallRecord, CallsQuery } from "./projections/calls.ts";
import { coverageOf, readCounts } from "./projections/coverage.ts";
import type { Explanation } from "./projections/explain.ts";
import type { LedgerFilter } from "./projections/ledger.ts";
import type { Overview, OverviewAsked } from "./projections/overview.ts";
import type { PriceBook } from "./projections/prices.ts";
import type { ToolsReport } from "./projections/tools.ts";
import type { UsageQuery, UsageReport } from "./projections/usage.ts";
import type { UsageBasis } from "./projections/usage-basis.ts";
import type { Source } from "./sources/source.ts";

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
    const { isRoughEnough, reportUsage } = await import("./projections/usage.ts");
    const skimmed = isRoughEnough(query) ? this.#shelf.skimmed?.() : undefined;
    const daily = skimmed ? undefined : await this.#daily(query);
    return reportUsage(daily ?? (await this.#basis(skimmed)), query);
  }

  /** Sums by day, where they answer the question: they are remembered session by session. */
  async #daily(query: UsageQuery): Promise<UsageBasis | undefined> {
    if (!this.#shelf.remembered) return undefined;
    const { isDaily, readDays, sumDays } = await import("./projections/day-sums.ts");
    const { Calendar } = await import("./projections/calendar.ts");
    const calendar = new Calendar(query.timezone);
    if (!isDaily(query, calendar)) return undefined;
    const prices = (this.#prices ??= await this.#loadPrices());
    const name = `days ${calendar.timezone} ${prices.stamp}`;
    const texts = this.#shelf.remembered(name, (digest) => sumDays(digest, calendar, prices));
    if (!texts) return undefined;
    const sessions = texts.map(readDays);
    return {
      digests: sessions.map(({ digest }) => digest),
      sums: sessions.flatMap(({ requests }) => requests),
      timeless: sessions.reduce((sum, { timeless }) => sum + timeless, 0),
      prices,
      coverage: coverageOf(this.#shelf.counts(), this.#shelf.diagnostics()),
      blindSpots: this.#blindSpots(),
    };
  }

  async calls(query: CallsQuery): Promise<Iterable<CallRecord>> {
    const { callsOf } = await import("./projections/calls.ts");
    return callsOf({ ...(await this.#basis()), read: this.#read }, query);
  }

  async tools(filter: LedgerFilter): Promise<ToolsReport> {
    const { reportTools } = await import("./projections/tools.ts");
    return reportTools(await this.#basis(), filter);
  }

  async explain(key: string, timezone: string | undefined): Promise<Explanation> {
    const { explain } = await import("./projections/explain.ts");
    return explain({ ...(await this.#basis()), read: this.#read }, key, timezone);
  }

  async overview(asked: OverviewAsked): Promise<Overview> {
    const { overviewOf } = await import("./projections/overview.ts");
    return overviewOf(await this.#basis(), asked);
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
      prices: (this.#prices ??= await this.#loadPrices()),
      coverage: coverageOf(counts, diagnostics),
      blindSpots: this.#blindSpots(),
    };
  }

  #blindSpots(): UsageBasis["blindSpots"] {
    return new Map(this.#sources.map(({ id, blindSpots }) => [id, blindSpots]));
  }

  async #loadPrices(): Promise<PriceBook> {
    const own = this.#ownPrices();
    const { PriceBook: Book } = await import("./projections/prices.ts");
    if (!own) return new Book();
    const { parsePrices } = await import("./projections/price-file.ts");
    return new Book({ table: parsePrices(own.text, own.path), file: own.path });
  }
}
