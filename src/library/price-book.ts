import type { PriceFile } from "../ingest/price-file.ts";
import { parsePrices } from "../queries/price-file.ts";
import { PriceBook } from "../queries/prices.ts";

/** A person's own prices, and the bundled ones. */
export function priceBook(own: PriceFile | undefined): PriceBook {
  if (!own) return new PriceBook();
  return new PriceBook({ table: parsePrices(own.text, own.path), file: own.path });
}
