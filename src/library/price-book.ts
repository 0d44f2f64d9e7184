import type { PriceFile } from "../ingest/price-file.ts";
import { PriceBook } from "../queries/prices.ts";

/** What sums depend on beside the sessions, as a second thread is told. */
export interface SumsTold {
  /** The machine's own when it is not said. */
  timezone: string | undefined;
  own: PriceFile | undefined;
}

/** The prices that come with the program, and a person's own before them. */
export async function loadPrices(own: PriceFile | undefined): Promise<PriceBook> {
  if (!own) return new PriceBook();
  const { parsePrices } = await import("../queries/price-file.ts");
  return new PriceBook({ table: parsePrices(own.text, own.path), file: own.path });
}
