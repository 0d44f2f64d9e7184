import alibaba from "../../../prices/alibaba.json" with { type: "json" };
import anthropic from "../../../prices/anthropic.json" with { type: "json" };
import google from "../../../prices/google.json" with { type: "json" };
import openai from "../../../prices/openai.json" with { type: "json" };
import others from "../../../prices/others.json" with { type: "json" };

/** Token prices: models, dates, and the origin of the figures. */
export interface PriceTable {
  source: string;
  /** The date of the figures. */
  date: string;
  models: readonly PricedModel[];
  aliases: readonly { id: string; as: string; why: string }[];
  /** Suffixes of model names that do not change the price. */
  suffixes: readonly string[];
  /** Names known to have no price. */
  unpriced: readonly { match: Match; why: string }[];
  /** Service tiers, in percent of the standard price of tokens. */
  services?: readonly Service[];
}

export interface Service {
  tier: string;
  percent: number;
  /** Ids of models with this price; all if absent. */
  models?: readonly string[];
  source?: string;
}

export interface PricedModel {
  id: string;
  match: Match;
  /** Oldest first; the first has no date and applies from the start. */
  prices: readonly DatedRates[];
}

/** Micro-dollars per million tokens. */
export interface Rates {
  input: number;
  cached: number;
  /** Written to the cache for 5 minutes; the input price when absent. */
  cacheWrite5m?: number | undefined;
  /** Written to the cache for an hour; twice the input price when absent. */
  cacheWrite1h?: number | undefined;
  output: number;
  /** Defaults to the output price. */
  thoughts?: number | undefined;
  /** Per million searches; searches of a model without this price are in no cost. */
  webSearches?: number | undefined;
}

/** Rates with all defaults filled in. */
export interface AppliedRates extends Record<Exclude<keyof Rates, "webSearches">, number> {
  /** Per million searches; `null` if not known. */
  webSearches: number | null;
}

export interface DatedRates extends Rates {
  /** A day, in UTC. */
  from?: string | undefined;
  /** Rates for requests whose whole prompt is larger; smallest threshold first. */
  above?: readonly (Rates & { tokens: number })[] | undefined;
}

/** How a table matches model names; same keys as in the data it is generated from. */
export interface Match {
  equals?: string | undefined;
  starts_with?: string | undefined;
  ends_with?: string | undefined;
  contains?: string | undefined;
  regex?: string | undefined;
  and?: readonly Match[] | undefined;
  or?: readonly Match[] | undefined;
}

/** The bundled tables; names are looked up in this order. */
export const bundledPrices: readonly PriceTable[] = [google, anthropic, openai, alibaba, others];

export type PriceAnswer =
  | {
      kind: "priced";
      /** The name in the table. */
      pricedAs: string;
      rates: DatedRates;
      /** Percentage of the standard price that the service tier costs. */
      percent: number;
    }
  | { kind: "unpriced"; why: string };

/** Where prices come from; part of every report. */
export interface PriceSource {
  source: string;
  date: string;
  /** The user's price file, which takes precedence over the bundled prices. */
  ownFile: string | null;
}

/** What the price of a request depends on, besides its counts. */
export interface PriceQuery {
  model: string | undefined;
  /** Epoch milliseconds; defaults to the date of the table. */
  atMs: number | undefined;
  /** The service tier; absent for the standard one. */
  tier?: string | null | undefined;
}

const NO_MODEL: PriceAnswer = { kind: "unpriced", why: "no model was recorded" };
/** An alias may point to another alias; a longer chain is a mistake. */
const MAX_STEPS = 4;
/** Names of the standard tier. */
const STANDARD = new Set(["", "standard", "default", "auto"]);

type Found =
  | { kind: "unpriced"; why: string }
  | { kind: "listed"; pricedAs: string; prices: readonly DatedRates[]; table: PriceTable };

/** All prices in effect: the user's own take precedence over the bundled ones. */
export class PriceBook {
  readonly #tables: readonly PriceTable[];
  readonly #suffixes: readonly string[];
  readonly #found = new Map<string, Found>();
  readonly from: PriceSource;
  /** Sorted instants at which any price changes, and sorted prompt sizes above which one does. */
  readonly dates: readonly number[];
  readonly thresholds: readonly number[];

  constructor(own?: { table: PriceTable; file: string }) {
    this.#tables = own ? [own.table, ...bundledPrices] : bundledPrices;
    this.#suffixes = bundledPrices.flatMap(({ suffixes }) => suffixes);
    const sources = new Set(bundledPrices.map(({ source }) => source));
    const date = bundledPrices.map((table) => table.date).toSorted();
    this.from = {
      source: [...sources].join(", "),
      date: date.at(-1) ?? "",
      ownFile: own?.file ?? null,
    };
    const listed = this.#tables.flatMap(({ models }) => models).flatMap(({ prices }) => prices);
    this.dates = inOrder(
      listed.flatMap(({ from }) => (from === undefined ? [] : [Date.parse(from)])),
    );
    this.thresholds = inOrder(
      listed.flatMap(({ above = [] }) => above.map(({ tokens }) => tokens)),
    );
  }

  /** The price of a model at a point in time. */
  priceOf({ model, atMs, tier }: PriceQuery): PriceAnswer {
    if (model === undefined) return NO_MODEL;
    let found = this.#found.get(model);
    if (!found) {
      found = this.#find(model);
      this.#found.set(model, found);
    }
    if (found.kind === "unpriced") return found;
    const { pricedAs, prices, table } = found;
    const rates = ratesAt(prices, atMs ?? Date.parse(table.date || this.from.date));
    if (!rates) return { kind: "unpriced", why: "its price is only known for later dates" };
    const percent = percentOf(table, pricedAs, tier ?? "");
    if (percent === undefined) {
      return { kind: "unpriced", why: `its price in the service tier "${tier}" is not known` };
    }
    return { kind: "priced", pricedAs, rates, percent };
  }

  #find(model: string, steps = 0): Found {
    if (steps > MAX_STEPS) return { kind: "unpriced", why: "its aliases refer to each other" };
    const name = plainName(model, this.#suffixes);
    for (const table of this.#tables) {
      const found = lookUp(table, model) ?? lookUp(table, name);
      if (found) return found;
      const alias = table.aliases.find(({ id }) => id === name || id === model);
      if (alias) return this.#find(alias.as, steps + 1);
    }
    const known = this.#tables
      .flatMap(({ unpriced }) => unpriced)
      .find(({ match }) => isMatch(match, name));
    return { kind: "unpriced", why: known?.why ?? "it is not in the price table" };
  }
}

function inOrder(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

function lookUp(table: PriceTable, name: string): Found | undefined {
  const model = table.models.find(({ match }) => isMatch(match, name));
  return model && { kind: "listed", pricedAs: model.id, prices: model.prices, table };
}

/** A tier may have several parts (`batch+geo-us`), whose percentages multiply. */
function percentOf(
  { services = [] }: PriceTable,
  pricedAs: string,
  tier: string,
): number | undefined {
  if (STANDARD.has(tier)) return 100;
  const parts = tier.split("+").filter((part) => !STANDARD.has(part));
  return parts.reduce<number | undefined>((percent, part) => {
    const service = services.find(({ tier: name, models }) => {
      return name === part && (models?.includes(pricedAs) ?? true);
    });
    return percent && service && (percent * service.percent) / 100;
  }, 100);
}

/** The name of a model in Amazon Bedrock: `us.anthropic.claude-opus-4-1-20250805-v1:0`. */
const IN_BEDROCK = /^(?:[a-z-]+\.)?(?:anthropic|openai|qwen)\.(.+?)(?:-v\d+(?::\d+)?)?(?:\[1m\])?$/;

/** `models/name`, `publishers/…/models/name` and `name-suffix` are the model `name`. */
function plainName(model: string, suffixes: readonly string[]): string {
  const last = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const name = IN_BEDROCK.exec(last)?.[1] ?? last;
  const suffix = suffixes.find((ending) => name.endsWith(ending));
  return suffix === undefined ? name : name.slice(0, -suffix.length);
}

function ratesAt(prices: readonly DatedRates[], atMs: number): DatedRates | undefined {
  return prices.findLast(({ from }) => from === undefined || Date.parse(from) <= atMs);
}

function isMatch(match: Match, name: string): boolean {
  if (match.equals !== undefined) return name === match.equals;
  if (match.starts_with !== undefined) return name.startsWith(match.starts_with);
  if (match.ends_with !== undefined) return name.endsWith(match.ends_with);
  if (match.contains !== undefined) return name.includes(match.contains);
  if (match.regex !== undefined) return new RegExp(match.regex).test(name);
  if (match.and) return match.and.every((part) => isMatch(part, name));
  return match.or?.some((part) => isMatch(part, name)) ?? false;
}
