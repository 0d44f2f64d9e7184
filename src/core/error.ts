import { optional } from "./optional.ts";

/** A caller's mistake or a broken disk; bad content is never one (that is a Diagnostic). */
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

/** An error as it goes from thread to thread: of an `Error`, only its message would arrive. */
export interface PlainError {
  code: string;
  message: string;
  remedy?: string;
}

/** `code` is that of an error which has none. */
export function plainError(error: unknown, code: string): PlainError {
  if (!(error instanceof PolluxError)) {
    return { code, message: error instanceof Error ? error.message : String(error) };
  }
  return { code: error.code, message: error.message, ...optional("remedy", error.remedy) };
}

export function errorFrom({ code, message, remedy }: PlainError): PolluxError {
  return new PolluxError(code, message, optional("remedy", remedy));
}
