import type { Archive } from "../store/archive.ts";
import type { Home } from "../ingest/gather.ts";
import { safetyOf } from "../ingest/safety.ts";
import type { Digest } from "../core/digest.ts";
import type { Examined } from "../queries/doctor.ts";

/** What of the disk is safe, and what is kept beyond it. */
export function healthOf(
  archive: Archive,
  homes: readonly Home[],
  digests: readonly Digest[],
): Pick<Examined, "archive" | "isKept"> {
  const { safety, unkept } = safetyOf(archive, homes);
  const { lookedMs, ...told } = safety;
  const goneSessions = digests.filter(({ summary }) => summary.goneSince !== null).length;
  const lookedAt = lookedMs === 0 ? null : new Date(lookedMs).toISOString();
  return { archive: { ...told, lookedAt, goneSessions }, isKept: (path) => !unkept.has(path) };
}
