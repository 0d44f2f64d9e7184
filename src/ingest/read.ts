import type { Diagnostic } from "../core/diagnostic.ts";
import type { Entry } from "../core/entry.ts";
import type { SessionFile } from "../core/session-file.ts";
import { FileReplay } from "../sources/gemini-cli/interpret/file-replay.ts";
import type { PlayedFile } from "../sources/gemini-cli/interpret/session.ts";
import type { EntrySink, NamedBytes, ReadAs, Source } from "../sources/source.ts";
import type { Weight } from "./outline.ts";
import { BriefOutlines, outlineOf } from "./outline.ts";
import { LARGE_BYTES, spareMemory } from "./spare-memory.ts";

/** A file's bytes, decoded and played. A broken disk is a diagnostic too: neighbours go on. */
export function playFile(
  source: Source,
  file: SessionFile,
  input: { bytes: NamedBytes; weight: Weight },
): PlayedFile {
  const { bytes, weight } = input;
  const read = { source, file, bytes };
  if (file.sizeBytes > LARGE_BYTES) spareMemory();
  if (weight === "full") return play(read, asItIs);
  return file.sizeBytes > LARGE_BYTES ? playBriefly(read) : play(read, inOutline);
}

function asItIs(entry: Entry): Entry {
  return entry;
}

function inOutline(entry: Entry): Entry {
  return outlineOf(entry);
}

interface Reading {
  source: Source;
  file: SessionFile;
  bytes: NamedBytes;
}

function play({ source, file, bytes }: Reading, lighter: (entry: Entry) => Entry): PlayedFile {
  const player = new Player(lighter);
  let readAs: ReadAs = { format: "unknown", generation: "unknown" };
  try {
    readAs = source.read(bytes, player);
  } catch (error) {
    player.report(unreadable(file.path, error));
  }
  const { replay, reported } = player;
  replay.finish();
  return { file, ...readAs, replay, diagnostics: reported.all() };
}

/** One class for all files: the engine works on a hot function once, not for each of them. */
class Player implements EntrySink {
  readonly replay: FileReplay = new FileReplay();
  readonly reported: Reported = new Reported();
  readonly #lighter: (entry: Entry) => Entry;

  constructor(lighter: (entry: Entry) => Entry) {
    this.#lighter = lighter;
  }

  entry(entry: Entry): void {
    this.replay.play(this.#lighter(entry));
  }

  readonly report = (diagnostic: Diagnostic): void => this.reported.add(diagnostic);
}

/** Prompts that repeat what an agent was asked are told from others by their words: then, again. */
function playBriefly(reading: Reading): PlayedFile {
  const first = new BriefOutlines();
  const played = play(reading, (entry) => first.of(entry));
  if (first.tasks.size === 0) return played;
  const second = new BriefOutlines(first.tasks);
  return play(reading, (entry) => second.of(entry));
}

/** A file full of damage tells so; a million sentences about it would tell nothing more. */
const LISTED_PER_CODE = 100;

class Reported {
  readonly #listed: Diagnostic[] = [];
  readonly #counts = new Map<Diagnostic["code"], number>();
  readonly #unlisted = new Map<Diagnostic["code"], Diagnostic>();

  add(diagnostic: Diagnostic): void {
    const { code } = diagnostic;
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= LISTED_PER_CODE) this.#listed.push(diagnostic);
    else this.#unlisted.set(code, diagnostic);
  }

  all(): Diagnostic[] {
    const rest = [...this.#unlisted].map(([code, { severity, file }]): Diagnostic => {
      const more = (this.#counts.get(code) ?? 0) - LISTED_PER_CODE;
      return { code, severity, file, message: `${more} more of this kind are not listed.` };
    });
    return [...this.#listed, ...rest];
  }
}

export function unreadable(file: string, error: unknown): Diagnostic {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined) throw error;
  if (code === "ENOENT") {
    const message = "It disappeared before it could be read.";
    return { code: "vanished-file", severity: "damage", message, file };
  }
  const message = `It could not be read (${code}).`;
  return { code: "unreadable-file", severity: "damage", message, file };
}
