import type { LedgerFilter, SessionFilter } from "../core/filter/filter.ts";
import { optional } from "../core/optional.ts";
import type { PriceBook } from "../queries/prices/prices.ts";
import type { BlameAnswer } from "../queries/blame/blame.ts";
import type { BudgetAnswer } from "../queries/prices/budget.ts";
import type { Comparison } from "../queries/compare.ts";
import type { InsightsAnswer } from "../queries/insights/insights.ts";
import type { UsesAnswer } from "../queries/search/uses.ts";
import type { BlameOptions } from "./blame.ts";
import type { BudgetRequest, CompareRequest } from "./compare.ts";
import type { CostsOf, PageRequest } from "./session-pages.ts";
import { sessionPage, sessionsInParts, usesPage } from "./session-pages.ts";
import type { SessionList, SessionListInParts } from "./sessions.ts";
import { completeList } from "./sessions.ts";
import type { StoreAccess } from "./store-access.ts";
import { sessionCosts } from "./usage.ts";

interface Basis {
  access: StoreAccess;
  prices: () => PriceBook;
  /** Replaces an agent's short name by its id. */
  resolved: (filter: SessionFilter) => SessionFilter;
}

/** Reviews past work: paged lists, uses of tools and files, authors of lines. */
export class Review {
  readonly #basis: Basis;

  constructor(basis: Basis) {
    this.#basis = basis;
  }

  /** A page of the session list, in any order. */
  async page(
    filter: SessionFilter,
    request: PageRequest,
    costs: CostsOf = () => this.costs(),
  ): Promise<SessionList> {
    const view = await this.#basis.access.reads("outline");
    const resolved = this.#basis.resolved(filter);
    return completeList(view, resolved, await sessionPage(view, resolved, { ...request, costs }));
  }

  /** The whole list, newest first, streamed so that it is never all in memory. */
  async everySession(filter: SessionFilter): Promise<SessionListInParts> {
    const view = await this.#basis.access.reads("outline");
    const resolved = this.#basis.resolved(filter);
    const { total, parts } = await sessionsInParts(view, resolved);
    const list = await completeList(view, resolved, { sessions: [], total });
    return { ...list, sessions: parts };
  }

  /** A page of the list, newest first, without saved chats, prompt logs and coverage. */
  async stretch(
    filter: SessionFilter,
    request: Pick<PageRequest, "offset" | "limit">,
  ): Promise<Pick<SessionList, "sessions" | "total">> {
    const view = await this.#basis.access.reads("outline");
    const costs = (): ReturnType<CostsOf> => this.costs();
    return sessionPage(view, this.#basis.resolved(filter), { ...request, costs });
  }

  /** All session ids, or those with one of these beginnings, to find unique short forms. */
  async ids(starts?: readonly string[]): Promise<string[]> {
    const { store, scope } = await this.#basis.access.reads("outline");
    const query = { scope, ...optional("idStarts", starts) } as const;
    const refs = await store.refs(query);
    return refs.map(({ id }) => id);
  }

  /** Where a tool, command, server or file was used, with the prompts that led to it. */
  async uses(filter: SessionFilter, request: PageRequest = {}): Promise<UsesAnswer> {
    const view = await this.#basis.access.reads("outline");
    const costs = (): ReturnType<CostsOf> => this.costs();
    return usesPage(view, this.#basis.resolved(filter), { ...request, costs });
  }

  /** Finds out who wrote each line of a file in its current state. */
  async blame(file: string, options: BlameOptions): Promise<BlameAnswer> {
    const { blameFile } = await import("./blame.ts");
    const resolved = { ...options, ...this.#basis.resolved(optional("source", options.source)) };
    return blameFile(await this.#basis.access.reads("outline"), file, resolved);
  }

  /** Analyses where the work went, by documented rules. */
  async insights(filter: SessionFilter = {}): Promise<InsightsAnswer> {
    const { insightsInto } = await import("./insights.ts");
    const { access, prices, resolved } = this.#basis;
    return insightsInto(await access.reads("outline"), prices(), resolved(filter));
  }

  /** Compares two sessions, models, projects or periods. */
  async compare(request: CompareRequest): Promise<Comparison> {
    const { compareTwo } = await import("./compare.ts");
    const { access, prices, resolved } = this.#basis;
    const filter = resolved(request.filter ?? {});
    return compareTwo(await access.reads("outline"), prices(), { ...request, filter });
  }

  /** Compares this month's cost with a budget. */
  async budget(request: BudgetRequest): Promise<BudgetAnswer> {
    const { budgetAnswer } = await import("./compare.ts");
    return budgetAnswer(await this.#basis.access.reads("outline"), this.#basis.prices(), request);
  }

  /** Cost of each session in micro-dollars, by id. */
  async costs(filter: LedgerFilter = {}): Promise<ReadonlyMap<string, number | null>> {
    const { access, prices, resolved } = this.#basis;
    return sessionCosts(await access.reads("outline"), prices(), resolved(filter));
  }
}
