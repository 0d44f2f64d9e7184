import { optional } from "./optional.ts";

/** A caller's mistake or a broken disk. Bad content is never an error but a Diagnostic. */
export class PolluxError extends Error {
  /** Stable, for programs. */
  readonly code: string;
  /** What to do about it, in one sentence. */
  readonly remedy: string | undefined;

  constructor(code: string, message: string, more: { remedy?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "PolluxError";
    this.code = code;
    this.remedy = more.remedy;
  }
}

/** An error in how the program, the library or an endpoint was called. */
export function wrongUsage(message: string, more: { remedy?: string } = {}): PolluxError {
  return new PolluxError("wrong-usage", message, more);
}

/** The code of an error of ours or of the system, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** A serialisable error: of an `Error` passed between threads, only the message would arrive. */
export interface PlainError {
  code: string;
  message: string;
  remedy?: string;
}

/** `code` is used for errors that have no code. */
export function plainError(error: unknown, code: string): PlainError {
  if (!(error instanceof PolluxError)) {
    return { code, message: error instanceof Error ? error.message : String(error) };
  }
  return { code: error.code, message: error.message, ...optional("remedy", error.remedy) };
}

export function errorFrom({ code, message, remedy }: PlainError): PolluxError {
  return new PolluxError(code, message, optional("remedy", remedy));
}
