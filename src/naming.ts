import { PolluxError } from "./model/error.ts";
import type { SessionSummary } from "./model/summary.ts";

/** What is said when a name means no session, or more than one. */
export function notFound(wish: string): PolluxError {
  return new PolluxError("no-such-session", `There is no session "${wish}".`, {
    remedy: "`pollux sessions` lists the ids of all sessions.",
  });
}

export function ambiguous(wish: string, found: readonly SessionSummary[]): PolluxError {
  const named = found.slice(0, 5).map(({ id }) => id);
  const more = found.length > named.length ? `, and ${found.length - named.length} more` : "";
  return new PolluxError("ambiguous-session", `"${wish}" begins ${found.length} session ids.`, {
    remedy: `Give more of it: ${named.join(", ")}${more}.`,
  });
}
