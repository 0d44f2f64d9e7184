import type { Expiry, ExpiringCount } from "../core/files/expiry.ts";
import { expiryOf } from "../core/files/expiry.ts";
import type { SessionLocation } from "../core/rows/session-rows.ts";
import type { Expiring, ExpiryQuery } from "./store.ts";

/** Plain implementation over all sessions, newest first. */
export function expiringAmong(
  sessions: readonly SessionLocation[],
  { rules, beforeMs, unkept, limit }: Omit<ExpiryQuery, "scope" | "filter">,
): Expiring {
  const byRoot = new Map(rules.map((rule) => [rule.root, rule]));
  const counts = new Map<string, ExpiringCount>();
  const found: { session: SessionLocation; atMs: number }[] = [];
  for (const session of sessions) {
    const expiry = expiryOf(session, byRoot);
    const atMs = expiry && goesAt(expiry);
    if (atMs === undefined || atMs >= beforeMs) continue;
    const { source } = session;
    const { sessions: before, notKept } = counts.get(source) ?? { sessions: 0, notKept: 0 };
    const isUnkept = unkept === "all" || session.files.some(({ path }) => unkept.has(path));
    counts.set(source, { source, sessions: before + 1, notKept: notKept + (isUnkept ? 1 : 0) });
    found.push({ session, atMs });
  }
  const first = found.toSorted((a, b) => (a.atMs === b.atMs ? 0 : a.atMs - b.atMs)).slice(0, limit);
  return { counts: [...counts.values()], first: first.map(({ session }) => session) };
}

function goesAt({ hasStub, atMs }: Expiry): number | undefined {
  return hasStub ? -Infinity : atMs;
}
