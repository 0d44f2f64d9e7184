import type { Diagnostic } from "../core/diagnostic.ts";

/** Limits the list of a badly damaged file: more diagnostics of the same code add nothing. */
const LISTED_PER_CODE = 100;

export class DiagnosticList {
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
  if (code === undefined) return readerFailed(file, error);
  if (code === "ENOENT") {
    const message = "It disappeared before it could be read.";
    return { code: "vanished-file", severity: "damage", message, file };
  }
  if (code === "ECHANGED") {
    const message = "It was changed whenever it was read; it is tried again the next time.";
    return { code: "unreadable-file", severity: "damage", message, file };
  }
  if (code === "ENOTFILE") {
    const message = "It has the name of a file that tells about sessions, but is no file.";
    return { code: "unreadable-file", severity: "damage", message, file };
  }
  const message = `It could not be read (${code}).`;
  return { code: "unreadable-file", severity: "damage", message, file };
}

/**
 * Reports a bug of ours in one file, so that all others are still read. Only the name and the
 * location of the error are reported: its message may quote session text.
 */
export function readerFailed(file: string, error: unknown): Diagnostic {
  const { name = "an error", stack = "" } = error instanceof Error ? error : {};
  const [, where] = /^\s+at (?:.*[\\/])?([^\\/\n]+?:\d+):\d+\)?$/m.exec(stack) ?? [];
  const place = where === undefined ? name : `${name} at ${where}`;
  const message = `Pollux failed at it (${place}). Please report that; all other files are read.`;
  return { code: "reader-failed", severity: "damage", message, file };
}
