import type { SessionFilter } from "../core/filter/filter.ts";
import { keyOf } from "../core/session/links.ts";
import { Matcher } from "../core/filter/matcher.ts";
import { optional } from "../core/optional.ts";
import { hitTexts } from "../ingest/texts/hit-texts.ts";
import { parseQuery } from "../queries/query.ts";
import type { SearchAnswer, SearchHit, SearchPlace } from "../queries/search/search.ts";
import type { SecretMask } from "../queries/redaction/secret-mask.ts";
import { grouped, hitOf, annotationHits, rolesOf } from "../queries/search/search.ts";
import type { StoreAccess } from "./store-access.ts";
import type { StoreView } from "./store-view.ts";

export interface SearchOptions {
  /** Where to search; everywhere by default. */
  in?: readonly SearchPlace[];
  /** Which sessions to search; its `limit` limits the hits. */
  filter?: SessionFilter;
  /** Masks secrets before excerpts are made: a part of a secret would not be recognised. */
  mask?: Pick<SecretMask, "mask">;
}

const USUAL_HITS = 20;
const PLAIN: Pick<SecretMask, "mask"> = { mask: (value) => Promise.resolve(value) };

/** Searches prompts, answers, thoughts, commands and tool results. */
export async function searchTexts(
  access: StoreAccess,
  text: string,
  options: SearchOptions,
): Promise<SearchAnswer> {
  const { clock } = access.setup;
  const began = clock();
  const view = await access.readsTexts();
  const { store, scope } = view;
  const expression = parseQuery(text);
  const { limit = USUAL_HITS, ...filter } = options.filter ?? {};
  const roles = rolesOf(options.in);
  const found = await store.search({
    scope,
    expression,
    filter,
    limit,
    ...optional("roles", roles),
  });
  const matcher = new Matcher(expression);
  const isMatch = (piece: string): boolean => matcher.count(piece) > 0;
  const { mask = PLAIN } = options;
  const texts = await mask.mask(await hitTexts(view, found.hits, isMatch));
  const isOwnMeant = options.in?.includes("notes") !== false;
  const own = isOwnMeant ? await mask.mask(await ownHitsOf(view, matcher, filter)) : [];
  const said = found.hits.map((hit, at) => hitOf(hit, texts[at] ?? [], matcher));
  const hits = grouped([...own, ...said].slice(0, limit));
  const { order } = found;
  const total = found.total + own.length;
  const suggestions = own.length > 0 ? [] : found.suggestions;
  const ids = [...new Set(hits.map(({ sessionId }) => sessionId))];
  const sessions = await mask.mask(await summariesOf(view, ids));
  const tookMs = Math.round((clock() - began) * 10) / 10;
  return { query: text, hits, sessions, total, order, suggestions, tookMs };
}

/** Annotations that match, of existing sessions that match the filter. */
async function ownHitsOf(
  { store, scope }: StoreView,
  matcher: Matcher,
  filter: SessionFilter,
): Promise<SearchHit[]> {
  const hits = annotationHits(await store.annotations({}), matcher);
  if (hits.length === 0) return [];
  const refs = await store.refs({ scope, filter });
  const meant = new Set(refs.map(({ source, id }) => keyOf(source, id)));
  return hits.filter(({ source, sessionId }) => meant.has(keyOf(source, sessionId)));
}

/** Summaries in the order of the ids. */
async function summariesOf(
  { store, scope }: StoreView,
  ids: readonly string[],
): Promise<SearchAnswer["sessions"]> {
  const { items } = await store.sessions({ scope, ids });
  const rows = new Map(items.map(({ summary }) => [summary.id, summary]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}
