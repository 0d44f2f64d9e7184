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
