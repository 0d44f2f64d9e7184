/** Exit codes, documented in `pollux --help`. */
export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Prefixes of error codes for names that match nothing or several things. */
const NOT_FOUND = /^(no-such|ambiguous)-/;

export function exitCodeOf(errorCode: string): ExitCode {
  if (errorCode === "wrong-usage" || errorCode === "bad-query") return EXIT.usage;
  return NOT_FOUND.test(errorCode) ? EXIT.notFound : EXIT.failed;
}
