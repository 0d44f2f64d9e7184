import type { ByteSource } from "../../../kernel/bytes.ts";
import type { Decoded, ReadOptions } from "../../source.ts";
import type { Entry } from "../content.ts";
import { BriefOutlines, outlineOf } from "../formats/outline.ts";
import { EntriesUntil } from "./entries-until.ts";
import { FileReplay } from "./file-replay.ts";

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
