import type { Member } from "./item.ts";
import { describe, look, stepOf } from "./item.ts";
import type { Failure } from "./mismatch.ts";
import { nearest } from "./mismatch.ts";
import type { Scope } from "./scope.ts";
import { isLiteral } from "./scope.ts";
import type { Group, GroupEntry, MemberKey, Type } from "./syntax.ts";

/** Members that no entry has matched yet. */
type Left = ReadonlySet<Member>;
/** `isFinal`: a cut rules out further alternatives. */
type Matched = { left: Left } | { mismatch: Failure; isFinal: boolean };

/** Every member must match an entry, and every required entry must match a member. */
export function matchMap(
  group: Group,
  members: readonly Member[],
  scope: Scope,
): Failure | undefined {
  const failures: Failure[] = [];
  for (const entries of group.options) {
    const matched = matchEntries(entries, new Set(members), scope);
    if ("mismatch" in matched) {
      failures.push(matched.mismatch);
      if (matched.isFinal) break;
      continue;
    }
    const [extra] = matched.left;
    if (!extra) return undefined;
    const path = `${scope.path}/${stepOf(extra[0])}`;
    failures.push({ path, message: "a member that the schema does not know" });
  }
  return nearest(failures, scope.path);
}

function matchEntries(entries: readonly GroupEntry[], members: Left, scope: Scope): Matched {
  let left = members;
  for (const entry of entries) {
    const matched = matchEntry(entry, left, scope);
    if ("mismatch" in matched) return matched;
    left = matched.left;
  }
  return { left };
}

function matchEntry(entry: GroupEntry, left: Left, scope: Scope): Matched {
  const inner = innerGroup(entry, scope);
  if (inner) return matchInner(inner, entry, { left, scope });
  if (entry.kind === "group" || !entry.key) {
    const message = "a map contains an entry without a key";
    return { mismatch: { path: scope.path, message }, isFinal: true };
  }
  return matchMember({ key: entry.key, type: entry.type, times: entry.times }, left, scope);
}

function innerGroup(entry: GroupEntry, scope: Scope): Group | undefined {
  if (entry.kind === "group") return entry.group;
  if (entry.key || entry.type.kind !== "name") return undefined;
  const rule = scope.rules.get(entry.type.name);
  return rule?.body.kind === "group" ? rule.body.group : undefined;
}

function matchInner(
  group: Group,
  { times }: GroupEntry,
  from: { left: Left; scope: Scope },
): Matched {
  let { left } = from;
  for (let count = 0; count < times.most; count += 1) {
    const matched = matchOptions(group, left, from.scope);
    if ("mismatch" in matched) {
      return count >= times.least && !matched.isFinal ? { left } : matched;
    }
    if (matched.left.size === left.size) return matched;
    left = matched.left;
  }
  return { left };
}

function matchOptions(group: Group, left: Left, scope: Scope): Matched {
  const failures: Failure[] = [];
  for (const entries of group.options) {
    const matched = matchEntries(entries, left, scope);
    if ("left" in matched || matched.isFinal) return matched;
    failures.push(matched.mismatch);
  }
  return { mismatch: nearest(failures, scope.path), isFinal: false };
}

interface Wanted {
  key: MemberKey;
  type: Type;
  times: GroupEntry["times"];
}

function matchMember({ key, type, times }: Wanted, left: Left, scope: Scope): Matched {
  const rest = new Set(left);
  let count = 0;
  let failed: Failure | undefined;
  for (const member of left) {
    if (count >= times.most) break;
    if (!fitsKey(key.type, member, scope)) continue;
    const path = `${scope.path}/${stepOf(member[0])}`;
    const mismatch = scope.match(type, member[1], { ...scope, path });
    if (!mismatch) {
      rest.delete(member);
      count += 1;
    } else if (key.isCut) return { mismatch, isFinal: true };
    else failed = mismatch;
  }
  if (count >= times.least) return { left: rest };
  const message = `the member ${keyName(key.type)} is missing`;
  return { mismatch: failed ?? { path: scope.path, message }, isFinal: false };
}

function fitsKey(type: Type, [key]: Member, scope: Scope): boolean {
  if (type.kind === "literal") return isLiteral(type.value, look(key));
  return scope.match(type, key, scope) === undefined;
}

function keyName(type: Type): string {
  if (type.kind !== "literal") return "of the required kind";
  return typeof type.value === "string" ? JSON.stringify(type.value) : describeKey(type.value);
}

function describeKey(value: bigint | number | Uint8Array): string {
  if (typeof value === "bigint") return describe({ kind: "int", value });
  return typeof value === "number" ? String(value) : "of bytes";
}
