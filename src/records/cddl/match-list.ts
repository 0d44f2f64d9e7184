import type { Item } from "./item.ts";
import type { Failure } from "./mismatch.ts";
import { nearest } from "./mismatch.ts";
import type { Scope } from "./scope.ts";
import type { Group, GroupEntry } from "./syntax.ts";

/**
 * How far a sequence of entries matched, or why it failed. `stopped`: why the last repeatable entry
 * did not match the next item; a better message than "nothing was expected here".
 */
type Reached = { at: number; stopped?: Failure } | { mismatch: Failure };

/** Matches items against entries in order, greedily, like a PEG (as CDDL specifies). */
export function matchList(group: Group, items: readonly Item[], scope: Scope): Failure | undefined {
  const reached = matchGroup(group, { items, at: 0 }, scope);
  if ("mismatch" in reached) return reached.mismatch;
  if (reached.at === items.length) return undefined;
  const path = `${scope.path}/${reached.at}`;
  const { stopped } = reached;
  const isAbout = stopped && (stopped.path === path || stopped.path.startsWith(`${path}/`));
  return isAbout ? stopped : { path, message: "nothing was expected here" };
}

interface Cursor {
  items: readonly Item[];
  at: number;
}

function matchGroup(group: Group, cursor: Cursor, scope: Scope): Reached {
  const failures: Failure[] = [];
  for (const entries of group.options) {
    const reached = matchEntries(entries, cursor, scope);
    if ("at" in reached) return reached;
    failures.push(reached.mismatch);
  }
  return { mismatch: nearest(failures, scope.path) };
}

function matchEntries(entries: readonly GroupEntry[], cursor: Cursor, scope: Scope): Reached {
  let last: Reached = { at: cursor.at };
  for (const entry of entries) {
    const reached = matchRepeated(entry, { items: cursor.items, at: last.at }, scope);
    if ("mismatch" in reached) return reached;
    last = reached;
  }
  return last;
}

function matchRepeated(entry: GroupEntry, cursor: Cursor, scope: Scope): Reached {
  let { at } = cursor;
  let last: Failure | undefined;
  let count = 0;
  while (count < entry.times.most) {
    const reached = matchOnce(entry, { items: cursor.items, at }, scope);
    if ("mismatch" in reached) {
      last = reached.mismatch;
      break;
    }
    count += 1;
    // An entry that consumes nothing would repeat for ever.
    if (reached.at === at) break;
    at = reached.at;
  }
  // An entry that consumes nothing can repeat any number of times.
  const isEnough = count >= entry.times.least || (last === undefined && count > 0);
  if (isEnough) return last ? { at, stopped: last } : { at };
  return { mismatch: last ?? { path: scope.path, message: "too few items" } };
}

function matchOnce(entry: GroupEntry, cursor: Cursor, scope: Scope): Reached {
  if (entry.kind === "group") return matchGroup(entry.group, cursor, scope);
  const named = entry.type.kind === "name" ? scope.rules.get(entry.type.name) : undefined;
  if (named?.body.kind === "group" && !entry.key)
    return matchGroup(named.body.group, cursor, scope);
  const item = cursor.items[cursor.at];
  const path = `${scope.path}/${cursor.at}`;
  if (item === undefined) return { mismatch: { path, message: "an item is missing" } };
  // In a list, the key of an entry is only a label.
  const mismatch = scope.match(entry.type, item, { ...scope, path });
  return mismatch ? { mismatch } : { at: cursor.at + 1 };
}
