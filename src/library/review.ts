import type { SessionFilter } from "../core/filter.ts";
import type { SessionRow } from "../core/session-rows.ts";
import type { SessionSummary } from "../core/summary.ts";
import type { PriceBook } from "../queries/prices/prices.ts";
import type { BlameAnswer } from "../queries/blame/blame.ts";
import type { BudgetAnswer } from "../queries/prices/budget.ts";
import type { Comparison } from "../queries/compare.ts";
import type { InsightsAnswer } from "../queries/insights/insights.ts";
import type { UsesAnswer } from "../queries/search/uses.ts";
import type { BlameOptions } from "./blame.ts";
import type { BudgetRequest, CompareRequest } from "./compare.ts";
import type { CostsOf, PageRequest } from "./session-pages.ts";
import { rowPage, rowsInParts, usesPage } from "./session-pages.ts";
import type { SessionList, SessionListInParts } from "./sessions.ts";
import { listAround } from "./sessions.ts";
import type { StoreAccess } from "./store-access.ts";
import { sessionCosts } from "./usage.ts";

interface Basis {
  access: StoreAccess;
  prices: () => PriceBook;
  /** Short names of agents stand for their ids. */
  meant: (filter: SessionFilter) => SessionFilter;
}

/** Looking back at work: lists in parts, where something was used, who wrote which line. */
export class Review {
  readonly #basis: Basis;

  constructor(basis: Basis) {
    this.#basis = basis;
  }

  /** A part of the list of sessions, in any order. */
  async page(
    filter: SessionFilter,
    request: PageRequest,
    costs: CostsOf = () => this.costs(),
  ): Promise<SessionList> {
    const view = await this.#basis.access.reads("outline");
    const meant = this.#basis.meant(filter);
    const { rows, total } = await rowPage(view, meant, { ...request, costs });
    return listAround(view, meant, { sessions: rows.map(({ summary }) => summary), total });
  }

  /** The whole list, newest first, without ever having all of it in memory. */
  async everySession(filter: SessionFilter): Promise<SessionListInParts> {
    const view = await this.#basis.access.reads("outline");
    const meant = this.#basis.meant(filter);
    const { total, parts } = await rowsInParts(view, meant);
    const around = await listAround(view, meant, { sessions: [], total });
    return { ...around, sessions: summariesIn(parts) };
  }

  /** A stretch of the list, newest first, without what a whole list has beside it. */
  async stretch(
    filter: SessionFilter,
    request: Pick<PageRequest, "offset" | "limit">,
  ): Promise<Pick<SessionList, "sessions" | "total">> {
    const view = await this.#basis.access.reads("outline");
    const costs = (): ReturnType<CostsOf> => this.costs();
    const page = await rowPage(view, this.#basis.meant(filter), { ...request, costs });
    return { sessions: page.rows.map(({ summary }) => summary), total: page.total };
  }

  /** The ids of all sessions: what a short form of one has to differ from. */
  async ids(): Promise<string[]> {
    const { store, scope } = await this.#basis.access.reads("outline");
    const refs = await store.refs({ scope, filter: {}, sort: "newest" });
    return refs.map(({ id }) => id);
  }

  /** Where a tool, a command, a server or a file was used, with the prompts that led to it. */
  async uses(filter: SessionFilter, request: PageRequest = {}): Promise<UsesAnswer> {
    const view = await this.#basis.access.reads("outline");
    const costs = (): ReturnType<CostsOf> => this.costs();
    return usesPage(view, this.#basis.meant(filter), { ...request, costs });
  }

  /** Who wrote each line of a file as it is now. */
  async blame(file: string, options: BlameOptions): Promise<BlameAnswer> {
    const { blameFile } = await import("./blame.ts");
    return blameFile(await this.#basis.access.reads("outline"), file, options);
  }

  /** Where the work went, by rules that are written down. */
  async insights(filter: SessionFilter = {}): Promise<InsightsAnswer> {
    const { insightsInto } = await import("./insights.ts");
    const { access, prices, meant } = this.#basis;
    return insightsInto(await access.reads("outline"), prices(), meant(filter));
  }

  /** Two sessions, models, projects or periods side by side. */
  async compare(request: CompareRequest): Promise<Comparison> {
    const { compareTwo } = await import("./compare.ts");
    const { access, prices, meant } = this.#basis;
    const filter = meant(request.filter ?? {});
    return compareTwo(await access.reads("outline"), prices(), { ...request, filter });
  }

  /** How this month goes against a budget. */
  async budget(request: BudgetRequest): Promise<BudgetAnswer> {
    const { budgetAnswer } = await import("./compare.ts");
    return budgetAnswer(await this.#basis.access.reads("outline"), this.#basis.prices(), request);
  }

  /** What each session cost, in micro-dollars, by its id. */
  async costs(): Promise<ReadonlyMap<string, number | null>> {
    return sessionCosts(await this.#basis.access.reads("outline"), this.#basis.prices());
  }
}

async function* summariesIn(parts: AsyncIterable<SessionRow[]>): AsyncGenerator<SessionSummary[]> {
  for await (const rows of parts) yield rows.map(({ summary }) => summary);
}
