import type { PriceFile } from "../intake/price-file.ts";
import type { PriceBook } from "../projections/prices.ts";

/** What sums depend on beside the sessions, as a second thread is told. */
export interface SumsTold {
  /** The machine's own when it is not said. */
  timezone: string | undefined;
  own: PriceFile | undefined;
}

/** The prices that come with the program, and a person's own before them. */
export async function loadPrices(own: PriceFile | undefined): Promise<PriceBook> {
  const { PriceBook: Book } = await import("../projections/prices.ts");
  if (!own) return new Book();
  const { parsePrices } = await import("../projections/price-file.ts");
  return new Book({ table: parsePrices(own.text, own.path), file: own.path });
}
