const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const STEM = new RegExp(`^rollout-(\\d{4})-(\\d\\d)-(\\d\\d).*?(${UUID})(?:_(${UUID}))?$`, "i");

/** `rollout-2026-11-15T21-10-00-<thread>_<rollout>`; has a second id after going back (0.166). */
export interface RolloutName {
  stem: string;
  year: string;
  month: string;
  day: string;
  threadId: string;
  rolloutId: string;
}

/** Returns the name of a file without folder and extension. */
export function stemOf(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return name.replace(/\.jsonl?(\.zst)?$/, "");
}

export function rolloutName(path: string): RolloutName | undefined {
  const stem = stemOf(path);
  const match = STEM.exec(stem);
  if (!match) return undefined;
  const [, year = "", month = "", day = "", threadId = "", rolloutId = threadId] = match;
  return { stem, year, month, day, threadId, rolloutId };
}

/** Returns the milliseconds in the first 48 bits of a UUIDv7; `NaN` for other texts. */
export function idTime(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

const ROLLOUT = /^rollout-.+\.(?:jsonl|jsonl\.zst|json)$/;

export function isRolloutName(name: string): boolean {
  return ROLLOUT.test(name);
}
