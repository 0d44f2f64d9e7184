import { instantOf } from "../instant.ts";

export function earliest(times: readonly (string | undefined)[]): string | undefined {
  return boundOf("earliest", times);
}

export function latest(times: readonly (string | undefined)[]): string | undefined {
  return boundOf("latest", times);
}

function boundOf(
  which: "earliest" | "latest",
  times: readonly (string | undefined)[],
): string | undefined {
  const found = new TimeBound(which);
  for (const time of times) found.add(time);
  return found.time;
}

/** Finds the earliest or latest of the added times. Each time is parsed only once. */
export class TimeBound {
  time: string | undefined;
  readonly #sign: 1 | -1;
  #ms = Number.NaN;

  constructor(which: "earliest" | "latest") {
    this.#sign = which === "latest" ? 1 : -1;
  }

  add(time: string | undefined): void {
    if (time === undefined || time === this.time) return;
    const ms = instantOf(time);
    if (this.time !== undefined && !((ms - this.#ms) * this.#sign > 0)) return;
    this.time = time;
    this.#ms = ms;
  }
}
