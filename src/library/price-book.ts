import { readPriceFile } from "../ingest/price-file.ts";
import { parsePrices } from "../queries/prices/price-file.ts";
import { PriceBook } from "../queries/prices/prices.ts";
import type { Setup } from "./store-access.ts";

/** A person's own prices, and the bundled ones; read when they are first asked for. */
export function lazyPrices({ options, environment }: Setup): () => PriceBook {
  let prices: PriceBook | undefined;
  return () => {
    if (prices) return prices;
    const own = readPriceFile(options.prices, environment);
    const table = own && { table: parsePrices(own.text, own.path), file: own.path };
    return (prices = new PriceBook(table));
  };
}
