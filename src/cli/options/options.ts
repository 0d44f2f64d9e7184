import { wrongUsage } from "../../core/error.ts";
import type { MomentOptions } from "../../queries/moment.ts";
import { momentOf } from "../../queries/moment.ts";

/** The options of a run, by their long name in camel case; invalid values throw. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #now: Date;

  constructor(values: Readonly<Record<string, unknown>>, now: Date) {
    this.#values = values;
    this.#now = now;
  }

  /** A flag. `--no-pager` is read as `has("pager")`, true unless it was given. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** The same options with one flag switched off. */
  without(name: string): Options {
    return new Options({ ...this.#values, [name]: false }, this.#now);
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  list(name: string): string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** A whole number above zero. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw wrongUsage(`--${dashed(name)} takes a whole number above zero, not "${text}".`);
  }

  /** Inclusive start, in epoch milliseconds. */
  since(name: string, timezone?: string): number | undefined {
    return this.#moment(name, { edge: "begin", timezone });
  }

  /** Exclusive end, in epoch milliseconds; a day means its end. */
  until(name: string, timezone?: string): number | undefined {
    return this.#moment(name, { edge: "end", timezone });
  }

  #moment(name: string, how: Omit<MomentOptions, "now">): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const moment = momentOf(text, { now: this.#now, ...how });
    if (moment !== undefined) return moment;
    throw wrongUsage(`--${dashed(name)} cannot parse "${text}" as a time.`, {
      remedy: "Use a day (2026-11-15), a time (2026-11-15T09:30), 7d, 12h, today or yesterday.",
    });
  }
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
