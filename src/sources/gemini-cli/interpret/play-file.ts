import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Decoded, ReadOptions, WrittenBy } from "../../source.ts";
import type { Entry } from "../content.ts";
import { BriefOutlines, outlineOf } from "../formats/outline.ts";
import { FileReplay } from "./file-replay.ts";
import { latest } from "../../../core/filter/time-range.ts";

/** Decodes a file entry by entry; returns its format and generation. */
export type ReadEntries = (
  bytes: ByteSource,
  sink: { entry(entry: Entry): void; report: ReadOptions["report"] },
) => Omit<Decoded, "content">;

/** For larger files, outlines keep even less text. */
const LARGE_BYTES = 64 * 1024 * 1024;

/**
 * Decodes a file and replays its entries one by one: a long file is never in memory as a whole.
 */
export function playFile(
  read: ReadEntries,
  { bytes, sizeBytes }: { bytes: ByteSource; sizeBytes: number },
  options: ReadOptions,
): Decoded<FileReplay> {
  if (options.depth === "full") return play(read, bytes, { options, lighter: asItIs });
  if (sizeBytes <= LARGE_BYTES) return play(read, bytes, { options, lighter: inOutline });
  const first = new BriefOutlines();
  const played = play(read, bytes, { options, lighter: (entry) => first.of(entry) });
  if (first.tasks.size === 0) return played;
  // Prompts that repeat a subagent's task are recognised by their text, so the file is read again.
  const second = new BriefOutlines(first.tasks);
  const quiet = { ...options, report: () => undefined };
  return play(read, bytes, { options: quiet, lighter: (entry) => second.of(entry) });
}

function asItIs(entry: Entry): Entry {
  return entry;
}

function inOutline(entry: Entry): Entry {
  return outlineOf(entry);
}

function play(
  read: ReadEntries,
  bytes: ByteSource,
  { options, lighter }: { options: ReadOptions; lighter: (entry: Entry) => Entry },
): Decoded<FileReplay> {
  const replay = new FileReplay();
  const until = options.until && new EntriesUntil(options.until);
  const { format, generation } = read(bytes, {
    entry(entry) {
      if (!until) return replay.play(lighter(entry));
      for (const written of until.take(entry)) replay.play(lighter(written));
    },
    report(diagnostic) {
      // Problems after the requested time do not matter.
      if (until?.isOver !== true) options.report(diagnostic);
    },
  });
  replay.finish();
  return { format, generation, content: replay };
}

/**
 * Selects entries up to a time. An entry without a time counts as written just before the next
 * entry that has one.
 */
class EntriesUntil {
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
