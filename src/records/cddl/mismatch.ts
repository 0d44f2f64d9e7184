import type { Item } from "./item.ts";
import { describe, look } from "./item.ts";

/** Where a value does not match, and why. */
export interface Mismatch {
  /** A JSON Pointer into the value; empty for the value itself. */
  path: string;
  message: string;
}

export interface Failure extends Mismatch {
  /** What was expected and what was found. */
  wanted?: string[];
  found?: string;
  /** A fixed value was expected, so this alternative was probably not the intended one. */
  isOther?: boolean;
}

export function expected(what: string, item: Item, path: string): Failure {
  return unfit([what], describe(look(item)), path);
}

function unfit(wanted: string[], found: string, path: string): Failure {
  return { path, message: `expected ${wanted.join(" or ")}, found ${found}`, wanted, found };
}

/**
 * Of several failed alternatives, returns the one that matched furthest. Alternatives that failed
 * at their distinguishing value (`type: "user"`) are ignored if another one matched beyond it.
 */
export function nearest(failures: readonly Failure[], path: string): Failure {
  const meant = failures.filter((failure) => !isAside(failure, path));
  const rest = meant.length > 0 ? meant : failures;
  const most = Math.max(...rest.map(depth));
  const deepest = rest.filter((failure) => depth(failure) === most);
  const [first] = deepest;
  if (!first) return { path, message: "nothing fits" };
  const isSame = deepest.every((failure) => failure.path === first.path && failure.wanted);
  if (deepest.length === 1 || !isSame) return first;
  const wanted = [...new Set(deepest.flatMap((failure) => failure.wanted ?? []))];
  const joined = unfit(wanted, first.found ?? "", first.path);
  return deepest.every(({ isOther }) => isOther === true) ? { ...joined, isOther: true } : joined;
}

function isAside(failure: Failure, path: string): boolean {
  if (failure.isOther !== true || !failure.path.startsWith(path)) return false;
  return failure.path.slice(path.length).split("/").length <= 2;
}

function depth({ path }: Failure): number {
  return path.split("/").length;
}
