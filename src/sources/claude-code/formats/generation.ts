/** First version of each generation of the format, newest first. */
const GENERATIONS: readonly (readonly [since: string, name: string])[] = [
  ["2.1.261", "2.1.280+"],
  ["2.1.95", "2.1.97–2.1.260"],
  ["2.1.57", "2.1.64–2.1.94"],
  ["2.1.8", "2.1.14–2.1.56"],
  ["1.0.111", "1.0.128–2.1.7"],
  ["1.0.9", "1.0.11–1.0.110"],
  ["0.0.0", "0.2.109–1.0.8"],
];

/** Versions that never recorded the final count of an answer. */
export const WITHOUT_FINAL_COUNTS = "2.1.14–2.1.56";

/** Returns the generation of the newest version that wrote to a file. */
export function generationOf(versions: readonly string[]): string {
  const numbers = versions.map(partsOf).filter((parts) => parts !== undefined);
  const [first, ...others] = numbers;
  if (!first) return "unknown";
  const newest = others.reduce((a, b) => (compare(a, b) < 0 ? b : a), first);
  const found = GENERATIONS.find(([since]) => compare(newest, partsOf(since) ?? newest) >= 0);
  return found?.[1] ?? "unknown";
}

type Parts = readonly [number, number, number];

function partsOf(version: string): Parts | undefined {
  const [, major, minor, patch] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,9})/.exec(version) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

function compare(a: Parts, b: Parts): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Undefined for an unknown version. */
function isBefore(version: string | undefined, first: Parts): boolean | undefined {
  const parts = version === undefined ? undefined : partsOf(version);
  return parts && compare(parts, first) < 0;
}

/** Up to 1.0.123 a resume copies the conversation into a new file; from 1.0.111 on with its ids. */
export function isResumedByCopy(version: string | undefined): boolean {
  return isBefore(version, [1, 0, 124]) ?? false;
}

/** Up to 2.1.79 a resume follows the parents only, so that parallel calls get lost. */
export function isResumedByParents(version: string | undefined): boolean {
  return isBefore(version, [2, 1, 80]) ?? false;
}

/** Up to 2.0.77, files may hold titles of other sessions. */
export function mayHoldTitles(version: string | undefined): boolean {
  return isBefore(version, [2, 1, 0]) ?? true;
}
