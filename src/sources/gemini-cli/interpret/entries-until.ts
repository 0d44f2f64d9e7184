import { latest } from "../../../core/filter/time-range.ts";
import type { WrittenBy } from "../../source.ts";
import type { Entry } from "../content.ts";

/**
 * Selects entries up to a time. An entry without a time counts as written just before the next
 * entry that has one.
 */
export class EntriesUntil {
  readonly #until: WrittenBy;
  #clockMs = Number.NEGATIVE_INFINITY;
  #start = -1;
  #waiting: Entry[] = [];
  readonly #ids = new Set<string>();
  isOver = false;

  constructor(until: WrittenBy) {
    this.#until = until;
  }

  take(entry: Entry): Entry[] {
    if (this.isOver) return [];
    const { start, end } = entry.place;
    const isSure = end <= this.#until.sureBytes || start === this.#start;
    const time = this.#timeOf(entry);
    if (!isSure && time === undefined) {
      this.#waiting.push(entry);
      return [];
    }
    // Lines are written in order, even if they repeat older times.
    this.#clockMs = Math.max(this.#clockMs, time ?? this.#clockMs);
    this.isOver = !isSure && this.#clockMs > this.#until.atMs;
    if (this.isOver) return [];
    this.#start = start;
    return [...this.#waiting.splice(0), entry];
  }

  #timeOf(entry: Entry): number | undefined {
    const times = timesOf(entry);
    if (entry.kind === "message") {
      const { id, toolCalls } = entry.message;
      // A reply is written again when its tools are done.
      if (this.#ids.has(id)) for (const call of toolCalls) times.push(call.at);
      this.#ids.add(id);
    }
    const time = Date.parse(latest(times) ?? "");
    return Number.isNaN(time) ? undefined : time;
  }
}

/** The last-updated time in a document's header says nothing about when its parts were written. */
function timesOf(entry: Entry): (string | undefined)[] {
  if (entry.kind === "header") return [entry.facts.startedAt];
  if (entry.kind === "facts") return [entry.facts.updatedAt];
  return entry.kind === "message" ? [entry.message.at] : [];
}
