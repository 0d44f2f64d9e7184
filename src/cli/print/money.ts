import { apportion } from "../../queries/prices/apportion.ts";
import type { Sums } from "../../queries/usage/tally.ts";
import { wrongUsage } from "../options/options.ts";

/** A rounded amount: so many of the smallest unit that is shown. */
export interface Coins {
  coins: number;
  /** Digits behind the point. */
  digits: number;
}

/** Money for people, in dollars or in a currency whose rate they gave. */
export class MoneyFormat {
  readonly code: string;
  /** As it was given. */
  readonly rate: string;
  readonly #numerator: bigint;
  readonly #denominator: bigint;
  #written: Written | undefined;

  constructor(code: string, rate: string) {
    this.code = code;
    this.rate = rate;
    const [whole = "0", fraction = ""] = rate.split(".");
    this.#numerator = BigInt(whole + fraction);
    this.#denominator = 10n ** BigInt(fraction.length) * 1_000_000n;
    // What everybody has needs no check; asking the system how money is written takes a while.
    if (code !== "USD") this.#written = writtenAs(code);
  }

  get #way(): Written {
    return (this.#written ??= writtenAs(this.code));
  }

  /** One amount: `$12.34`, `$0.0816`; what is too small to show is not shown as nothing. */
  text(micro: number | null, asFineAs: Coins = this.coins(micro)): string {
    if (micro === null) return "–";
    const { digits } = asFineAs;
    const { whole, rest } = this.#split(micro, digits);
    const coins = rest >= 0.5 ? whole + 1 : whole;
    if (coins === 0 && micro > 0) return `<${this.#shown(1, digits)}`;
    return this.#shown(coins, digits);
  }

  /** Amounts of a column in coins, rounded so that they add up to their sum. */
  column(amounts: readonly (number | null)[], sum: Coins): (Coins | null)[] {
    const { digits } = sum;
    const parts = amounts.map((micro) => this.#split(micro ?? 0, digits));
    const rounded = apportion(parts, sum.coins);
    return amounts.map((micro, at) =>
      micro === null ? null : { coins: rounded[at] ?? 0, digits },
    );
  }

  /** An amount rounded to coins, as fine as its size asks for. */
  coins(micro: number | null): Coins {
    const digits = this.#digitsFor(micro ?? 0);
    const { whole, rest } = this.#split(micro ?? 0, digits);
    return { coins: rest >= 0.5 ? whole + 1 : whole, digits };
  }

  shown(amount: Coins | null): string {
    return amount === null ? "unpriced" : this.#shown(amount.coins, amount.digits);
  }

  /** A plain decimal number with all digits, for programs. */
  decimal(micro: number): string {
    const { whole, rest } = this.#split(micro, 6);
    return decimal(rest >= 0.5 ? whole + 1 : whole, 6);
  }

  /** Small sums have more digits. */
  #digitsFor(micro: number): number {
    const isSmall = this.#split(micro, 0).whole < 1;
    return this.#way.coinDigits + (isSmall ? 2 : 0);
  }

  #split(micro: number, digits: number): { whole: number; rest: number } {
    const amount = BigInt(Math.round(micro)) * this.#numerator * 10n ** BigInt(digits);
    const rest = Number(amount % this.#denominator) / Number(this.#denominator);
    return { whole: Number(amount / this.#denominator), rest };
  }

  #shown(coins: number, digits: number): string {
    const [whole = "0", fraction] = decimal(coins, digits).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return `${this.#way.symbol}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
  }
}

function decimal(coins: number, digits: number): string {
  const text = String(coins).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** How amounts of a currency are written. */
interface Written {
  symbol: string;
  /** Digits of the currency's smallest coin. */
  coinDigits: number;
}

function writtenAs(code: string): Written {
  const format = formatOf(code);
  const parts = format.formatToParts(0);
  const symbol = parts.find(({ type }) => type === "currency")?.value ?? code;
  return {
    symbol: /^[A-Z]{2,}$/.test(symbol) ? `${symbol} ` : symbol,
    coinDigits: format.resolvedOptions().maximumFractionDigits ?? 2,
  };
}

function formatOf(code: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat("en", {
      style: "currency",
      currency: code,
      currencyDisplay: "narrowSymbol",
    });
  } catch {
    throw wrongUsage(`"${code}" is no currency code.`, { remedy: "Give one like EUR or JPY." });
  }
}

/** A sum that leaves out requests without a price is marked. */
export function partly(
  cost: string,
  { unpricedRequests, requests }: Pick<Sums, "unpricedRequests" | "requests">,
): string {
  return unpricedRequests > 0 && unpricedRequests < requests ? `${cost}+` : cost;
}
