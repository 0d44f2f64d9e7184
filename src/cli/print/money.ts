import { wrongUsage } from "../../core/error.ts";
import { apportion } from "../../queries/prices/apportion.ts";
import type { Sums } from "../../queries/usage/tally.ts";

/** A rounded amount, in units of 10^-`digits`. */
export interface Coins {
  coins: number;
  /** Digits after the decimal point. */
  digits: number;
}

/** Formats money in dollars, or in another currency at a given rate. */
export class MoneyFormat {
  readonly code: string;
  /** As given by the user. */
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
    // USD needs no check, and loading the system's currency formats takes a while.
    if (code !== "USD") this.#written = writtenAs(code);
  }

  get #way(): Written {
    return (this.#written ??= writtenAs(this.code));
  }

  /** One amount: `$12.34`, `$0.0816`; amounts too small to show are not shown as zero. */
  text(micro: number | null, asFineAs: Coins = this.coins(micro)): string {
    if (micro === null) return "–";
    const { digits } = asFineAs;
    const { whole, rest } = this.#split(micro, digits);
    const coins = rest >= 0.5 ? whole + 1 : whole;
    if (coins === 0 && micro > 0) return `<${this.#shown(1, digits)}`;
    return this.#shown(coins, digits);
  }

  /** Rounds the amounts of a column so that they add up to the sum. */
  column(amounts: readonly (number | null)[], sum: Coins): (Coins | null)[] {
    const { digits } = sum;
    const parts = amounts.map((micro) => this.#split(micro ?? 0, digits));
    const rounded = apportion(parts, sum.coins);
    return amounts.map((micro, at) =>
      micro === null ? null : { coins: rounded[at] ?? 0, digits },
    );
  }

  /** Rounds an amount, with more digits for small ones. */
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

  /** Small amounts have more digits. */
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
  /** Digits of the currency's smallest unit. */
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
    throw wrongUsage(`"${code}" is not a currency code.`, {
      remedy: "Use a code such as EUR or JPY.",
    });
  }
}

/** Marks a sum that leaves out requests without a price. */
export function partly(
  cost: string,
  { unpricedRequests, requests }: Pick<Sums, "unpricedRequests" | "requests">,
): string {
  return unpricedRequests > 0 && unpricedRequests < requests ? `${cost}+` : cost;
}
