import type { Shelf } from "../ingest/session-source.ts";
import { optional } from "../core/optional.ts";
import type { SessionFilter } from "../queries/filter.ts";
import { matches } from "../queries/filter.ts";
import { Matcher } from "../core/matcher.ts";
import { parseQuery } from "../queries/query.ts";
import type { SearchAnswer, SearchPlace } from "../queries/search.ts";
import { grouped, hitOf, rolesOf } from "../queries/search.ts";

export interface SearchOptions {
  /** Where to look; everywhere when absent. */
  in?: readonly SearchPlace[];
  /** Which sessions are meant; its limit is one of hits. */
  filter?: SessionFilter;
}

const USUAL_HITS = 20;

/** The part of the library that finds words. */
export class SearchDesk {
  readonly #shelf: Shelf;
  readonly #clock: () => number;

  constructor(shelf: Shelf, clock: () => number) {
    this.#shelf = shelf;
    this.#clock = clock;
  }

  search(text: string, options: SearchOptions): SearchAnswer {
    const began = this.#clock();
    const query = parseQuery(text);
    const matcher = new Matcher(query);
    const { filter = {} } = options;
    const { found, total, order } = this.#shelf.find({
      query,
      matches: (one) => matcher.matches(one),
      ...optional("roles", rolesOf(options.in)),
      ...optional("sessions", this.#meant(filter)),
      limit: filter.limit ?? USUAL_HITS,
    });
    const hits = grouped(found.map((one) => hitOf(one, matcher)));
    const ids = [...new Set(hits.map(({ sessionId }) => sessionId))];
    const sessions = ids.flatMap((id) => this.#shelf.digest(id)?.summary ?? []);
    const tookMs = Math.round((this.#clock() - began) * 10) / 10;
    return { query: text, hits, sessions, total, order, tookMs };
  }

  #meant({ limit: _hits, ...filter }: SessionFilter): ReadonlySet<string> | undefined {
    if (Object.values(filter).every((wish) => wish === undefined)) return undefined;
    const digests = this.#shelf.digests().filter(({ summary }) => matches(summary, filter));
    return new Set(digests.map(({ summary }) => summary.id));
  }
}
