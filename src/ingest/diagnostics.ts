import type { Diagnostic } from "../core/files/diagnostic.ts";
import { codeOf } from "../core/error.ts";

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
      return {
        code,
        severity,
        file,
        message: `${more} more problems of this kind are not listed.`,
      };
    });
    return [...this.#listed, ...rest];
  }
}

export function unreadable(file: string, error: unknown): Diagnostic {
  const code = codeOf(error);
  if (code === undefined) return readerFailed(file, error);
  if (code === "ENOENT") {
    const message = "The file disappeared before it could be read.";
    return { code: "vanished-file", severity: "damage", message, file };
  }
  if (code === "ECHANGED") {
    const message = "The file changed during every attempt to read it; the next run tries again.";
    return { code: "unreadable-file", severity: "damage", message, file };
  }
  if (code === "ENOTFILE") {
    const message = "The name is that of a session file, but it is not a regular file.";
    return { code: "unreadable-file", severity: "damage", message, file };
  }
  const message = `The file could not be read (${code}).`;
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
  const message = `Internal error in this file (${place}). Please report it; other files are read.`;
  return { code: "reader-failed", severity: "damage", message, file };
}
