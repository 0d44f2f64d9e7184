import type { Retention } from "../core/retention.ts";
import { groupBy } from "../core/group.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { SessionRows } from "../core/session-rows.ts";
import { surplusOf } from "../core/surplus.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { RetentionAbility } from "../sources/source.ts";
import type { Place } from "./decode.ts";
import { keysOf } from "./decode.ts";
import type { DiskHome } from "./disk-home.ts";
import { findHome } from "./disk-home.ts";
import { readGroup } from "./read-group.ts";

/** Files of one session that their program will delete by itself, and that are not yet kept. */
export interface FilesAtRisk {
  place: Place;
  files: SessionFile[];
  /** Days until they are old enough; below every number for what goes with the next start. */
  daysLeft: number;
  /** Their paths, when they go because there are more sessions than are to stay. */
  surplus: ReadonlySet<string>;
  /** What the files tell; they are read when this is called. */
  rows: () => SessionRows[];
}

export interface RiskContext {
  nowMs: number;
  /** So many days before its time, a session is named as well. */
  warnDays: number;
  /** Whether a file is in the store as it is now. */
  isKept: (path: string) => boolean;
}

const DAY_MS = 86_400_000;
/** What is larger holds something that was said. */
const STUB_BYTES = 64 * 1024;
const EMPTY_BYTES = 4096;

/**
 * What is at risk before anything is kept, by names and times, and a few bytes; the most urgent
 * first. (`queries/doctor/retention-risk.ts` says the same of sessions whose rows are there.)
 */
export function filesAtRisk(places: readonly Place[], context: RiskContext): FilesAtRisk[] {
  return places
    .flatMap((place) => filesBelow(place, context))
    .toSorted((a, b) => (a.daysLeft < b.daysLeft ? -1 : Number(a.daysLeft > b.daysLeft)));
}

interface Cleaning {
  place: Place;
  home: DiskHome;
  ability: RetentionAbility;
  settings: Retention;
  context: RiskContext;
}

function filesBelow(place: Place, context: RiskContext): FilesAtRisk[] {
  const ability = place.source.abilities.retention;
  const settings = ability?.settings(place.root);
  if (!ability || settings?.isEnabled !== true || !place.root.isFound) return [];
  const cleaning = { place, home: findHome(place), ability, settings, context };
  const named = cleaning.home.files.flatMap((file) => {
    const name = isMeant(file, settings) ? ability.cleanUpName(file.path) : undefined;
    return name ? [{ file, ...name }] : [];
  });
  // A copy that the clean-up never reaches is safe.
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

/** Subagents go with the session that began them, unless only they are deleted. */
function isMeant({ role, parentId }: SessionFile, { isSubagentsOnly }: Retention): boolean {
  return isSubagentsOnly === true ? role === "subagent" : parentId === undefined;
}

/** Files that are deleted together. */
type Group = readonly { file: SessionFile; begunMs?: number }[];

/** That so many stay and no more is seldom set. */
function tooMany(cleaning: Cleaning, groups: readonly Group[]): ReadonlySet<Group> {
  const { maxSessions } = cleaning.settings;
  if (maxSessions === undefined) return new Set();
  const withContent = groups.filter((group) => !group.every(({ file }) => isStub(cleaning, file)));
  const dated = withContent.map((group) => {
    const lastMs = Math.max(...group.map(({ file }) => recordedMsOf(cleaning, file)));
    return { group, lastMs, folder: group[0]?.file.folder ?? "" };
  });
  return new Set(surplusOf(dated, maxSessions).map(({ group }) => group));
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
  // What began only lately needs no look at its bytes.
  const begun = group.flatMap(({ begunMs }) => begunMs ?? []);
  if (begun.some((ms) => left(ms) > context.warnDays)) return undefined;
  const days = left(Math.max(...files.map((file) => lastMsOf(cleaning, file, left))));
  // Nothing is lost with what holds nothing.
  const isEmpty = files.every((file) => file.sizeBytes <= EMPTY_BYTES && isStub(cleaning, file));
  return days > context.warnDays || isEmpty ? undefined : days;
}

/** A copied file is younger than what it tells: only then is it opened. */
function lastMsOf(cleaning: Cleaning, file: SessionFile, left: (ms: number) => number): number {
  return left(file.modifiedMs) <= 0 ? file.modifiedMs : recordedMsOf(cleaning, file);
}

function recordedMsOf({ ability }: Cleaning, file: SessionFile): number {
  try {
    return ability.peekLastMs(file, fileBytes(file.path)) ?? file.modifiedMs;
  } catch {
    // It will be reported when it is read.
    return file.modifiedMs;
  }
}

/** A resume leaves a file beside the session in which nothing is said. */
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
