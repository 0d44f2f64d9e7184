import type { Retention } from "../core/files/expiry.ts";
import { groupBy } from "../core/group.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type { SessionRows } from "../core/rows/session-rows.ts";
import { sessionsOverLimit } from "../core/files/expiry.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { RetentionAbility } from "../sources/source.ts";
import type { SourceRoot } from "./decode.ts";
import { keysOf } from "./decode.ts";
import type { DiskHome } from "./disk-home.ts";
import { findHome } from "./disk-home.ts";
import { readGroup } from "./read-group.ts";
import { DAY_MS } from "../core/instant.ts";

/** Files of one session that the agent will delete by itself and that are not kept yet. */
export interface FilesAtRisk {
  place: SourceRoot;
  files: SessionFile[];
  /** Days until the agent deletes them; -Infinity if it does so at its next start. */
  daysLeft: number;
  /** Their paths, if they are deleted because there are more sessions than the agent keeps. */
  surplus: ReadonlySet<string>;
  /** Reads the files and returns their rows. */
  rows: () => SessionRows[];
}

export interface RiskContext {
  nowMs: number;
  /** Also report sessions that are deleted within this many days. */
  warnDays: number;
  /** Whether the current content of a file is kept. */
  isKept: (path: string) => boolean;
}

/** Larger files are never stubs: they hold messages. */
const STUB_BYTES = 64 * 1024;
const EMPTY_BYTES = 4096;

/**
 * Finds files at risk before anything is kept, from names, times and a few bytes; most urgent
 * first. (`queries/doctor/retention-risk.ts` does the same for sessions with rows.)
 */
export function filesAtRisk(places: readonly SourceRoot[], context: RiskContext): FilesAtRisk[] {
  return places
    .flatMap((place) => filesBelow(place, context))
    .toSorted((a, b) => (a.daysLeft < b.daysLeft ? -1 : Number(a.daysLeft > b.daysLeft)));
}

interface Cleaning {
  place: SourceRoot;
  home: DiskHome;
  ability: RetentionAbility;
  settings: Retention;
  context: RiskContext;
}

function filesBelow(place: SourceRoot, context: RiskContext): FilesAtRisk[] {
  const ability = place.source.abilities.retention;
  const settings = ability?.settings(place.root);
  if (!ability || settings?.isEnabled !== true || !place.root.isFound) return [];
  const cleaning = { place, home: findHome(place), ability, settings, context };
  const named = cleaning.home.files.flatMap((file) => {
    const name = isMeant(file, settings) ? ability.cleanUpName(file.path) : undefined;
    return name ? [{ file, ...name }] : [];
  });
  // A session with a copy that the clean-up never reaches is safe.
  const safe = new Set(named.flatMap(({ file, together }) => (file.isCleaned ? [] : [together])));
  const exposed = named.filter(({ file, together }) => file.isCleaned && !safe.has(together));
  const byName = groupBy(exposed, ({ file, together }) => `${file.folder}/${together}`);
  const groups = [...byName.values()];
  const surplus = tooMany(cleaning, groups);
  return groups.flatMap((group): FilesAtRisk[] => {
    if (group.every(({ file }) => context.isKept(file.path))) return [];
    const daysLeft = surplus.has(group) ? -Infinity : daysLeftOf(cleaning, group);
    if (daysLeft === undefined) return [];
    const files = group.map(({ file }) => file);
    const paths = new Set(surplus.has(group) ? files.map(({ path }) => path) : []);
    return [{ place, files, daysLeft, surplus: paths, rows: () => rowsIn(cleaning, files) }];
  });
}

/** Subagents are deleted with their parent session, unless only subagents are deleted. */
function isMeant({ role, parentId }: SessionFile, { isSubagentsOnly }: Retention): boolean {
  return isSubagentsOnly === true ? role === "subagent" : parentId === undefined;
}

/** Files that are deleted together. */
type Group = readonly { file: SessionFile; begunMs?: number }[];

/** Groups beyond the maximum number of sessions. That setting is rare. */
function tooMany(cleaning: Cleaning, groups: readonly Group[]): ReadonlySet<Group> {
  const { maxSessions } = cleaning.settings;
  if (maxSessions === undefined) return new Set();
  const withContent = groups.filter((group) => !group.every(({ file }) => isStub(cleaning, file)));
  const dated = withContent.map((group) => {
    const lastMs = Math.max(...group.map(({ file }) => recordedMsOf(cleaning, file)));
    return { group, lastMs, folder: group[0]?.file.folder ?? "" };
  });
  return new Set(sessionsOverLimit(dated, maxSessions).map(({ group }) => group));
}

function daysLeftOf(cleaning: Cleaning, group: Group): number | undefined {
  const { settings, context } = cleaning;
  const files = group.map(({ file }) => file);
  const stubs = files.length === 1 ? 0 : files.filter((file) => isStub(cleaning, file)).length;
  if (stubs > 0) return stubs === files.length ? undefined : -Infinity;
  if (settings.maxAgeDays === undefined) return undefined;
  const left = (ms: number): number => {
    return Math.floor((settings.maxAgeDays ?? 0) - (context.nowMs - ms) / DAY_MS);
  };
  // Recently started sessions need no look at their bytes.
  const begun = group.flatMap(({ begunMs }) => begunMs ?? []);
  if (begun.some((ms) => left(ms) > context.warnDays)) return undefined;
  const days = left(Math.max(...files.map((file) => lastMsOf(cleaning, file, left))));
  // Deleting an empty session loses nothing.
  const isEmpty = files.every((file) => file.sizeBytes <= EMPTY_BYTES && isStub(cleaning, file));
  return days > context.warnDays || isEmpty ? undefined : days;
}

/** Opens the file only if its mtime is recent: a copied file may be newer than its last record. */
function lastMsOf(cleaning: Cleaning, file: SessionFile, left: (ms: number) => number): number {
  return left(file.modifiedMs) <= 0 ? file.modifiedMs : recordedMsOf(cleaning, file);
}

function recordedMsOf({ ability }: Cleaning, file: SessionFile): number {
  try {
    return ability.peekLastMs(file, fileBytes(file.path)) ?? file.modifiedMs;
  } catch {
    // The error is reported when the file is ingested.
    return file.modifiedMs;
  }
}

/** Whether a file holds no messages: a resume leaves such files beside the session. */
function isStub(cleaning: Cleaning, file: SessionFile): boolean {
  if (file.sizeBytes > STUB_BYTES) return false;
  const rows = rowsIn(cleaning, [file]);
  return rows.every(({ session }) => session.files.every(({ part }) => part === "stub"));
}

function rowsIn(
  { place: { source }, home }: Cleaning,
  files: readonly SessionFile[],
): SessionRows[] {
  const members = files.map((file) => {
    const bytes = fileBytes(file.path);
    return { rootId: 0, file, bytes, home: home.view, keys: keysOf(source, file, bytes) };
  });
  return readGroup(source, members, "outline").sessions;
}
