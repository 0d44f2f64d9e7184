import { addAll } from "./lists.ts";
/**
 * Groups items by key, in order of appearance. (`Map.groupBy` needs a newer Node than the minimum
 * version supported.)
 */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * Groups items that share a key, directly or through other items. An item without keys is a group
 * by itself.
 */
export function groupConnected<T>(
  items: Iterable<T>,
  keysOf: (item: T) => readonly string[],
): T[][] {
  const groupOfKey = new Map<string, T[]>();
  const keysOfGroup = new Map<T[], string[]>();
  for (const item of items) {
    const keys = keysOf(item);
    const groups = new Set<T[]>();
    for (const key of keys) {
      const group = groupOfKey.get(key);
      if (group) groups.add(group);
    }
    const [group = [], ...others] = groups;
    const allKeys = [...(keysOfGroup.get(group) ?? []), ...keys];
    for (const other of others) {
      addAll(group, other);
      addAll(allKeys, keysOfGroup.get(other) ?? []);
      keysOfGroup.delete(other);
    }
    group.push(item);
    keysOfGroup.set(group, allKeys);
    for (const key of allKeys) groupOfKey.set(key, group);
  }
  return [...keysOfGroup.keys()];
}
