import type { Place } from "./archive.ts";
import type { ForeseeTold, Foreseen } from "../ingest/foresee.ts";
import { foresee } from "../ingest/foresee.ts";
import { findHomes, readSessions } from "../ingest/gather.ts";
import type { AtRisk } from "../queries/retention-risk.ts";
import { findRisks, WARN_DAYS } from "../queries/retention-risk.ts";
import { digestOf } from "../core/make-digest.ts";

/** What may soon be lost and is not kept yet. */
export interface Foresight {
  sessions: number;
  /** The most urgent of them; their files alone were read. */
  named: AtRisk[];
  /** Paths of the files of all of them. */
  files: ReadonlySet<string>;
}

/** Files of sessions that may soon be lost and are not kept as they are now, by session. */
export function foreseenFiles(
  places: readonly Place[],
  told: Omit<ForeseeTold, "warnDays">,
): string[][] {
  return foreseenIn(places, told).map(({ files }) => files.map(({ path }) => path));
}

function foreseenIn(places: readonly Place[], told: Omit<ForeseeTold, "warnDays">): Foreseen[] {
  return findHomes(places).flatMap((home) => foresee(home, { ...told, warnDays: WARN_DAYS }));
}

const MOST_NAMED = 5;
/** To read more than this would be the long work itself. */
const MOST_BYTES = 8 * 1024 * 1024;

export function foreseeAll(
  places: readonly Place[],
  told: Omit<ForeseeTold, "warnDays">,
): Foresight {
  const all = foreseenIn(places, told).toSorted((a, b) => {
    return a.daysLeft < b.daysLeft ? -1 : Number(a.daysLeft > b.daysLeft);
  });
  const files = new Set(all.flatMap((one) => one.files.map(({ path }) => path)));
  const small = all.filter((one) => sizeOf(one) <= MOST_BYTES).slice(0, MOST_NAMED);
  return { sessions: all.length, named: small.flatMap((one) => named(one, told)), files };
}

function sizeOf({ files }: Foreseen): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function named(
  { home, files, isSurplus }: Foreseen,
  told: Omit<ForeseeTold, "warnDays">,
): AtRisk[] {
  const found = files.map((file) => ({ home, file }));
  const digests = readSessions(found, "outline").sessions.map(digestOf);
  const roots = [{ path: home.root.path, retention: home.source.retention(home.root) }];
  const surplus = new Set(isSurplus ? files.map(({ path }) => path) : []);
  return findRisks(digests, { ...told, roots, surplus });
}
