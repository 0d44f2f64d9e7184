import { hash } from "node:crypto";
import bundledTable from "../../prices/google.json" with { type: "json" };

/** What tokens cost: which models, from which day, and where the figures come from. */
export interface PriceTable {
  source: string;
  /** The day of the figures. */
  date: string;
  models: readonly PricedModel[];
  aliases: readonly { id: string; as: string; why: string }[];
  /** Endings of names that do not change the price. */
  suffixes: readonly string[];
  /** Names that are known to have no price. */
  unpriced: readonly { match: Match; why: string }[];
}

export interface PricedModel {
  id: string;
  match: Match;
  /** Oldest first; the first has no date and holds from the beginning. */
  prices: readonly DatedRates[];
}

/** Micro-dollars per million tokens. Thoughts cost what output costs. */
export interface Rates {
  input: number;
  cached: number;
  output: number;
}

export interface DatedRates extends Rates {
  /** A day, in UTC. */
  from?: string | undefined;
  /** What a request costs whose whole prompt is larger than this. */
  above?: (Rates & { tokens: number }) | undefined;
}

/** How a table names its models; the same words as in the source it is made from. */
export interface Match {
  equals?: string | undefined;
  starts_with?: string | undefined;
  ends_with?: string | undefined;
  contains?: string | undefined;
  regex?: string | undefined;
  and?: readonly Match[] | undefined;
  or?: readonly Match[] | undefined;
}

export const bundledPrices: PriceTable = bundledTable;

export type PriceAnswer =
  | { kind: "priced"; /** The name in the table. */ pricedAs: string; rates: DatedRates }
  | { kind: "unpriced"; why: string };

/** Where prices come from, as it stands in every report. */
export interface PriceSource {
  source: string;
  date: string;
  /** The file whose prices come before the bundled ones. */
  ownFile: string | null;
}

const NO_MODEL: PriceAnswer = { kind: "unpriced", why: "no model was recorded" };
/** A name may stand for a name that stands for a model; more is a mistake. */
const MAX_STEPS = 4;

type Found = PriceAnswer | { kind: "dated"; pricedAs: string; prices: readonly DatedRates[] };

/** All prices that hold: a person's own come before the bundled ones. */
export class PriceBook {
  readonly #own: PriceTable | undefined;
  readonly #bundled: PriceTable;
  readonly #found = new Map<string, Found>();
  readonly from: PriceSource;

  constructor(own?: { table: PriceTable; file: string }, bundled: PriceTable = bundledPrices) {
    this.#own = own?.table;
    this.#bundled = bundled;
    this.from = { source: bundled.source, date: bundled.date, ownFile: own?.file ?? null };
  }

  /** Changes with any price. */
  get stamp(): string {
    return hash("sha1", JSON.stringify([this.#own, this.#bundled]), "base64url");
  }

  /** What a model cost at an instant; without one, on the day of the table. */
  priceOf(model: string | undefined, at: string | undefined): PriceAnswer {
    if (model === undefined) return NO_MODEL;
    let found = this.#found.get(model);
    if (!found) {
      found = this.#find(model);
      this.#found.set(model, found);
    }
    if (found.kind !== "dated") return found;
    const rates = ratesAt(found.prices, at ?? this.#bundled.date);
    if (!rates) return { kind: "unpriced", why: "its price is only known for later days" };
    return { kind: "priced", pricedAs: found.pricedAs, rates };
  }

  #find(model: string, steps = 0): Found {
    if (steps > MAX_STEPS) return { kind: "unpriced", why: "its names stand for one another" };
    const name = plainName(model, this.#bundled.suffixes);
    for (const table of [this.#own, this.#bundled]) {
      const found = table && (lookUp(table, model) ?? lookUp(table, name));
      if (found) return found;
      const alias = table?.aliases.find(({ id }) => id === name || id === model);
      if (alias) return this.#find(alias.as, steps + 1);
    }
    const known = this.#bundled.unpriced.find(({ match }) => isMatch(match, name));
    return { kind: "unpriced", why: known?.why ?? "it is in no price table" };
  }
}

function lookUp(table: PriceTable, name: string): Found | undefined {
  const model = table.models.find(({ match }) => isMatch(match, name));
  if (!model) return undefined;
  const { id: pricedAs, prices } = model;
  const [only] = prices;
  const isFixed = prices.length === 1 && only !== undefined && only.from === undefined;
  return isFixed ? { kind: "priced", pricedAs, rates: only } : { kind: "dated", pricedAs, prices };
}

/** `models/name`, `publishers/…/models/name` and `name-suffix` are the model `name`. */
function plainName(model: string, suffixes: readonly string[]): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const suffix = suffixes.find((ending) => name.endsWith(ending));
  return suffix === undefined ? name : name.slice(0, -suffix.length);
}

function ratesAt(prices: readonly DatedRates[], at: string): DatedRates | undefined {
  const instant = Date.parse(at);
  return prices.findLast(({ from }) => from === undefined || Date.parse(from) <= instant);
}

function isMatch(match: Match, name: string): boolean {
  if (match.equals !== undefined) return name === match.equals;
  if (match.starts_with !== undefined) return name.startsWith(match.starts_with);
  if (match.ends_with !== undefined) return name.endsWith(match.ends_with);
  if (match.contains !== undefined) return name.includes(match.contains);
  if (match.regex !== undefined) return new RegExp(match.regex).test(name);
  if (match.and) return match.and.every((one) => isMatch(one, name));
  return match.or?.some((one) => isMatch(one, name)) ?? false;
}
