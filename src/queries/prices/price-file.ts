import { PolluxError } from "../../core/error.ts";
import type { DatedRates, PricedModel, PriceTable, Rates } from "./prices.ts";
import { isObject } from "../../core/json.ts";

/**
 * The user's own prices, in dollars per million tokens as in published price lists:
 *
 *     {"models": {
 *       "my-model": {"input": 1.25, "cached": 0.125, "output": 10,
 *                    "above": {"tokens": 200000, "input": 2.5, "cached": 0.25, "output": 15}},
 *       "caching":  {"input": 3, "cached": 0.3, "output": 15,
 *                    "cacheWrite5m": 3.75, "cacheWrite1h": 6, "webSearches": 10},
 *       "dated":    [{"input": 1, "output": 4}, {"from": "2026-07-01", "input": 2, "output": 8}],
 *       "nickname": {"as": "my-model"}}}
 *
 * Defaults: `cached` and `cacheWrite5m` cost the input price, `cacheWrite1h` twice that, and
 * `thoughts` the output price. `above` may be a list. `webSearches` is in dollars per 1,000
 * searches.
 */
export function parsePrices(text: string, file: string): PriceTable {
  const document = parse(text, file);
  const models = objectOf(document["models"]);
  if (!models) throw bad(file, 'it has no "models" object');
  const priced: PricedModel[] = [];
  const aliases: { id: string; as: string; why: string }[] = [];
  for (const [id, value] of Object.entries(models)) {
    const as = objectOf(value)?.["as"];
    if (typeof as === "string") aliases.push({ id, as, why: "set in your price file" });
    else priced.push({ id, match: { equals: id }, prices: datedOf(value, { id, file }) });
  }
  const loop = aliases.find(({ as }) => aliases.some(({ id }) => id === as));
  if (loop) throw bad(file, `"${loop.id}" is an alias of "${loop.as}", which is an alias itself`);
  const date = typeof document["date"] === "string" ? document["date"] : "";
  return { source: file, date, models: priced, aliases, suffixes: [], unpriced: [] };
}

type Json = Record<string, unknown>;
interface Named {
  id: string;
  file: string;
}

function parse(text: string, file: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bad(file, `it is not JSON (${(error as Error).message})`);
  }
  const document = objectOf(value);
  if (!document) throw bad(file, "it is not a JSON object");
  return document;
}

function datedOf(value: unknown, named: Named): DatedRates[] {
  const listed = Array.isArray(value) ? (value as unknown[]) : [value];
  const rates = listed.map((price) => dated(objectOf(price), named));
  return rates.toSorted((a, b) => timeOf(a) - timeOf(b));
}

function timeOf({ from }: DatedRates): number {
  return from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
}

function dated(value: Json | undefined, named: Named): DatedRates {
  if (!value) throw bad(named.file, `the price of "${named.id}" is not an object`);
  const { from, above } = value;
  if (from !== undefined && (typeof from !== "string" || Number.isNaN(Date.parse(from)))) {
    throw bad(named.file, `"from" of "${named.id}" is not a day like 2026-07-01`);
  }
  const tiers = tiersOf(above, named);
  return {
    ...(from === undefined ? {} : { from }),
    ...ratesOf(value, named),
    ...(tiers.length > 0 ? { above: tiers } : {}),
  };
}

/** One tier or a list of tiers, sorted by prompt size. */
function tiersOf(above: unknown, named: Named): (Rates & { tokens: number })[] {
  const listed = Array.isArray(above) ? (above as unknown[]) : above === undefined ? [] : [above];
  const tiers = listed.map((value) => {
    const tier = objectOf(value);
    if (!tier) throw bad(named.file, `"above" of "${named.id}" is not an object`);
    return { tokens: tokensOf(tier, named), ...ratesOf(tier, named) };
  });
  return tiers.toSorted((a, b) => a.tokens - b.tokens);
}

function ratesOf(value: Json, named: Named): Rates {
  const input = priceOf(value, "input", named);
  const cached = value["cached"] === undefined ? input : priceOf(value, "cached", named);
  const rates: Rates = { input, cached, output: priceOf(value, "output", named) };
  for (const key of ["cacheWrite5m", "cacheWrite1h", "thoughts"] as const) {
    if (value[key] !== undefined) rates[key] = priceOf(value, key, named);
  }
  if (value["webSearches"] !== undefined) {
    rates.webSearches = priceOf(value, "webSearches", named) * 1000;
  }
  return rates;
}

const MAX_PRICE = 1_000_000;

function priceOf(value: Json, key: string, { id, file }: Named): number {
  const price = value[key];
  if (typeof price === "number" && price >= 0 && price <= MAX_PRICE) return Math.round(price * 1e6);
  throw bad(file, `"${key}" of "${id}" is not a price in dollars per million tokens`);
}

function tokensOf(tier: Json, { id, file }: Named): number {
  const tokens = tier["tokens"];
  if (typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  throw bad(file, `"above.tokens" of "${id}" is not a number of tokens`);
}

function objectOf(value: unknown): Json | undefined {
  return isObject(value) ? value : undefined;
}

function bad(file: string, why: string): PolluxError {
  return new PolluxError("bad-prices", `The price file ${file} cannot be used: ${why}.`, {
    remedy: "docs/guide/prices.md describes the format.",
  });
}
