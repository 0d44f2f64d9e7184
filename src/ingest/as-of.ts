import type { Entry } from "../core/entry.ts";
import { latest } from "../core/time-range.ts";
import type { NamedBytes, ReadAs, Source } from "../sources/source.ts";
import type { Home } from "./gather.ts";
import { withOpen } from "./gather.ts";
import type { FoundFile, KeptState } from "./session-states.ts";

/**
 * A file as it was at a time. What had been written by then is known from the state before it; how
 * far the next one had come, from the times that its entries tell.
 */
export function fileAsOf(
  { home, file }: FoundFile,
  states: readonly KeptState[],
  atMs: number,
): FoundFile[] {
  const inState = ({ open, sizeBytes, modifiedMs }: KeptState): FoundFile => {
    return { home: withOpen(home, open), file: { ...file, sizeBytes, modifiedMs } };
  };
  const last = states.findLastIndex(({ modifiedMs }) => modifiedMs <= atMs);
  const [before, next] = [states[last], states[last + 1]];
  if (!next) return before ? [inState(before)] : [];
  const sureBytes = before?.content === next.content ? before.sizeBytes : 0;
  const then = cut(inState(next), { atMs, sureBytes });
  const has = idsIn(then);
  if (!before) return has.size > 0 ? [then] : [];
  // It does not go on with what was there: since when that is so, nobody knows.
  const isOn = [...idsIn(inState(before))].every((id) => has.has(id));
  return [isOn ? then : inState(before)];
}

interface Until {
  atMs: number;
  /** So much of the file was there by then, whatever times it tells. */
  sureBytes: number;
}

/** The same file, without what was written later. */
function cut({ home, file }: FoundFile, until: Until): FoundFile {
  const read = (bytes: NamedBytes, into: Parameters<Source["read"]>[1]): ReadAs => {
    const written = new Written(until);
    return home.source.read(bytes, {
      entry: (entry) => written.take(entry).forEach((one) => into.entry(one)),
      // What is wrong with the rest does not matter.
      report: (diagnostic) => {
        if (!written.isOver) into.report(diagnostic);
      },
    });
  };
  const source = Object.create(home.source, { read: { value: read } }) as Source;
  return { home: Object.create(home, { source: { value: source } }) as Home, file };
}

/** Entries up to a time. One that tells none was written just before the next that does. */
class Written {
  readonly #until: Until;
  #clockMs = Number.NEGATIVE_INFINITY;
  #start = -1;
  #waiting: Entry[] = [];
  readonly #ids = new Set<string>();
  isOver = false;

  constructor(until: Until) {
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
    // Lines are written one after the other, whatever old times they repeat.
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
      if (this.#ids.has(id)) times.push(...toolCalls.map(({ at }) => at));
      this.#ids.add(id);
    }
    const time = Date.parse(latest(times) ?? "");
    return Number.isNaN(time) ? undefined : time;
  }
}

/** A document tells at its beginning when it was last written: that says nothing of its parts. */
function timesOf(entry: Entry): (string | undefined)[] {
  if (entry.kind === "header") return [entry.facts.startedAt];
  if (entry.kind === "facts") return [entry.facts.updatedAt];
  return entry.kind === "message" ? [entry.message.at] : [];
}

function idsIn({ home, file }: FoundFile): Set<string> {
  const ids = new Set<string>();
  home.source.read(home.open(file), {
    report: () => undefined,
    entry(entry) {
      if (entry.kind === "message") ids.add(entry.message.id);
      if (entry.kind === "rewrite") for (const { id } of entry.messages) ids.add(id);
    },
  });
  return ids;
}
