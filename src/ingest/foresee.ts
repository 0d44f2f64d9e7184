import { groupBy } from "../core/group.ts";
import type { SessionFile } from "../core/session-file.ts";
import { surplusOf } from "../core/surplus.ts";
import type { RetentionSettings } from "../sources/source.ts";
import type { Home } from "./gather.ts";
import { readSessions } from "./gather.ts";

/** Files of one session that their program will delete by itself, and that are not yet kept. */
export interface Foreseen {
  home: Home;
  files: SessionFile[];
  /** Days until they are old enough; below every number for what goes with the next start. */
  daysLeft: number;
  /** Not for their age: there are more of them than are to stay. */
  isSurplus: boolean;
}

export interface ForeseeTold {
  nowMs: number;
  /** So many days before its time, a session is named as well. */
  warnDays: number;
  /** Whether a file is in the archive as it is now. */
  isKept: (path: string) => boolean;
}

const DAY_MS = 86_400_000;
/** What is larger holds something that was said. */
const STUB_BYTES = 64 * 1024;
const EMPTY_BYTES = 4096;

/** Works out what is at risk before anything is taken in: by names and times, and a few bytes. */
export function foresee(home: Home, told: ForeseeTold): Foreseen[] {
  const retention = home.source.retention(home.root);
  if (!retention.isEnabled) return [];
  const named = home.files.flatMap((file) => {
    const name = file.parentId === undefined ? home.source.cleanUpName(file.path) : undefined;
    return name ? [{ file, ...name }] : [];
  });
  // A copy that the clean-up never reaches is safe.
  const safe = new Set(named.flatMap((one) => (one.file.isCleaned ? [] : [one.together])));
  const exposed = named.filter(({ file, together }) => file.isCleaned && !safe.has(together));
  const groups = groupBy(exposed, ({ file, together }) => `${file.folder}/${together}`);
  const around = { home, retention, told };
  const surplus = tooMany(around, [...groups.values()]);
  return [...groups.values()].flatMap((group): Foreseen[] => {
    if (group.every(({ file }) => told.isKept(file.path))) return [];
    const isSurplus = surplus.has(group);
    const daysLeft = isSurplus ? -Infinity : daysLeftOf(around, group);
    const files = group.map(({ file }) => file);
    return daysLeft === undefined ? [] : [{ home, files, daysLeft, isSurplus }];
  });
}

/** Files that are deleted together. */
type Group = readonly { file: SessionFile; begunMs?: number }[];

interface Around {
  home: Home;
  retention: RetentionSettings;
  told: ForeseeTold;
}

/** That so many stay and no more is seldom set. */
function tooMany({ home, retention }: Around, groups: readonly Group[]): ReadonlySet<Group> {
  if (retention.maxSessions === undefined) return new Set();
  const told = groups.filter((group) => !group.every(({ file }) => isStub(home, file)));
  const dated = told.map((group) => {
    const lastMs = Math.max(...group.map(({ file }) => toldMsOf(home, file)));
    return { group, lastMs, folder: group[0]?.file.folder ?? "" };
  });
  return new Set(surplusOf(dated, retention.maxSessions).map(({ group }) => group));
}

function daysLeftOf({ home, retention, told }: Around, group: Group): number | undefined {
  const files = group.map(({ file }) => file);
  const stubs = files.length === 1 ? 0 : files.filter((file) => isStub(home, file)).length;
  if (stubs > 0) return stubs === files.length ? undefined : -Infinity;
  if (retention.maxAgeDays === undefined) return undefined;
  const left = (ms: number): number => {
    return Math.floor((retention.maxAgeDays ?? 0) - (told.nowMs - ms) / DAY_MS);
  };
  // What began only lately needs no look at its bytes.
  const begun = group.flatMap(({ begunMs }) => begunMs ?? []);
  if (begun.some((ms) => left(ms) > told.warnDays)) return undefined;
  const days = left(Math.max(...files.map((file) => lastMsOf(home, file, left))));
  // Nothing is lost with what holds nothing.
  const isEmpty = files.every((file) => file.sizeBytes <= EMPTY_BYTES && isStub(home, file));
  return days > told.warnDays || isEmpty ? undefined : days;
}

/** A copied file is younger than what it tells: only then is it opened. */
function lastMsOf(home: Home, file: SessionFile, left: (ms: number) => number): number {
  return left(file.modifiedMs) <= 0 ? file.modifiedMs : toldMsOf(home, file);
}

function toldMsOf(home: Home, file: SessionFile): number {
  try {
    return home.source.peekLastMs(file, home.open(file)) ?? file.modifiedMs;
  } catch {
    // It will be reported when it is read.
    return file.modifiedMs;
  }
}

/** A resume leaves a file beside the session in which nothing is said. */
function isStub(home: Home, file: SessionFile): boolean {
  if (file.sizeBytes > STUB_BYTES) return false;
  const { sessions } = readSessions([{ home, file }], "outline");
  return sessions.every(({ files }) => files.every(({ part }) => part === "stub"));
}
