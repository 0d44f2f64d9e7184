import { setFlagsFromString } from "node:v8";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { SessionFile } from "../model/session-file.ts";
import { FileReplay } from "../replay/file-replay.ts";
import type { PlayedFile } from "../replay/session.ts";
import type { NamedBytes, ReadAs, Source } from "../sources/source.ts";
import type { Weight } from "./outline.ts";
import { outlineOf } from "./outline.ts";

/** Reading a file of this size would otherwise take more memory than the file is worth. */
const LARGE_BYTES = 64 * 1024 * 1024;

/** From here on the heap is kept small, at the price of some speed; there is no way back. */
function spareMemory(): void {
  setFlagsFromString("--optimize-for-size");
}

/** A file's bytes, decoded and played. A broken disk is a diagnostic too: neighbours go on. */
export function playFile(
  source: Source,
  file: SessionFile,
  input: { bytes: NamedBytes; weight: Weight },
): PlayedFile {
  const replay = new FileReplay();
  const reported = new Reported();
  const { bytes, weight } = input;
  if (file.sizeBytes > LARGE_BYTES) spareMemory();
  let readAs: ReadAs = { format: "unknown", generation: "unknown" };
  try {
    readAs = source.read(bytes, {
      entry: (entry) => replay.play(weight === "outline" ? outlineOf(entry) : entry),
      report: (diagnostic) => reported.add(diagnostic),
    });
  } catch (error) {
    reported.add(unreadable(file.path, error));
  }
  return { file, ...readAs, replay, diagnostics: reported.all() };
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
