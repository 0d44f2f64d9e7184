import { decodeCbor } from "../cbor.ts";
import type { Cbor } from "../cbor.ts";
import { CborFault } from "../cbor.ts";
import type { Item, Seen } from "./item.ts";
import { look } from "./item.ts";
import { matchList } from "./match-list.ts";
import { matchMap } from "./match-map.ts";
import type { Failure } from "./mismatch.ts";
import { expected, nearest } from "./mismatch.ts";
import { PRELUDE } from "./prelude.ts";
import type { Scope } from "./scope.ts";
import { isLiteral } from "./scope.ts";
import type { Type } from "./syntax.ts";

/** Returns undefined if the item matches. */
export function matchType(type: Type, item: Item, scope: Scope): Failure | undefined {
  switch (type.kind) {
    case "choice":
      return matchChoice(type.options, item, scope);
    case "name":
      return matchName(type.name, item, scope);
    case "literal":
      if (isLiteral(type.value, look(item))) return undefined;
      return { ...expected(printed(type), item, scope.path), isOther: true };
    case "range":
      return inRange(type, look(item)) ? undefined : expected(printed(type), item, scope.path);
    case "control":
      return matchType(type.target, item, scope) ?? matchControl(type, item, scope);
    case "tag":
      return matchTag(type, item, scope);
    case "map":
    case "list":
      return matchGroup(type, item, scope);
    default:
      return type satisfies never;
  }
}

function matchChoice(options: readonly Type[], item: Item, scope: Scope): Failure | undefined {
  const failures: Failure[] = [];
  for (const option of options) {
    const failure = matchType(option, item, scope);
    if (!failure) return undefined;
    failures.push(failure);
  }
  return nearest(failures, scope.path);
}

function matchName(name: string, item: Item, scope: Scope): Failure | undefined {
  const built = PRELUDE.get(name);
  if (built) return built(look(item)) ? undefined : expected(name, item, scope.path);
  const rule = scope.rules.get(name);
  // The compiler has checked that every name is a type.
  if (rule?.body.kind !== "type") throw new RangeError(`no type ${name}`);
  return matchType(rule.body.type, item, scope);
}

/** Values nested deeper are rejected: checking them would overflow the stack. */
const MAX_DEPTH = 200;

function matchGroup(
  type: Type & { kind: "map" | "list" },
  item: Item,
  scope: Scope,
): Failure | undefined {
  const seen = look(item);
  const inner = { ...scope, depth: scope.depth + 1 };
  if (inner.depth > MAX_DEPTH) return { path: scope.path, message: "it is nested too deeply" };
  if (type.kind === "map" && seen.kind === "map") return matchMap(type.group, seen.members, inner);
  if (type.kind === "list" && seen.kind === "list") return matchList(type.group, seen.items, inner);
  return expected(type.kind === "map" ? "a map" : "a list", item, scope.path);
}

function matchTag(type: Type & { kind: "tag" }, item: Item, scope: Scope): Failure | undefined {
  const seen = look(item);
  if (seen.kind !== "tag" || seen.tag !== type.tag)
    return expected(`tag ${type.tag}`, item, scope.path);
  return matchType(type.type, seen.item, scope);
}

function matchControl(
  type: Type & { kind: "control" },
  item: Item,
  scope: Scope,
): Failure | undefined {
  const seen = look(item);
  const { name, argument } = type;
  if (name === "cbor") return matchEmbedded(argument, seen, scope);
  if (name === "regexp") {
    const isFit = seen.kind === "text" && patternOf(argument, scope).test(seen.value);
    return isFit ? undefined : expected("a text of the required form", item, scope.path);
  }
  const size = name === "size" ? sizeOf(seen) : seen.kind === "int" ? seen.value : undefined;
  const isFit = size !== undefined && compares(name, size, argument);
  return isFit ? undefined : expected(`.${name} ${printed(argument)}`, item, scope.path);
}

function matchEmbedded(argument: Type, seen: Seen, scope: Scope): Failure | undefined {
  if (seen.kind !== "bytes") return { path: scope.path, message: "a byte string was expected" };
  let inner: Cbor;
  try {
    inner = decodeCbor(seen.value);
  } catch (error) {
    if (!(error instanceof CborFault)) throw error;
    return { path: scope.path, message: `the bytes are not CBOR: ${error.message}` };
  }
  return matchType(argument, inner, scope);
}

/** Compiled patterns; they are used for every timestamp of a session. */
const patterns = new WeakMap<Type, RegExp>();

function patternOf(argument: Type, scope: Scope): RegExp {
  const known = patterns.get(argument);
  if (known) return known;
  const pattern = new RegExp(`^(?:${patternText(argument, scope)})$`, "u");
  patterns.set(argument, pattern);
  return pattern;
}

function patternText(type: Type, scope: Scope): string {
  if (type.kind === "literal") return String(type.value);
  const rule = type.kind === "name" ? scope.rules.get(type.name) : undefined;
  return rule?.body.kind === "type" ? patternText(rule.body.type, scope) : "";
}

function sizeOf(seen: Seen): bigint | undefined {
  if (seen.kind === "bytes") return BigInt(seen.value.length);
  return seen.kind === "text" ? BigInt(Buffer.byteLength(seen.value, "utf8")) : undefined;
}

function compares(name: string, value: bigint, argument: Type): boolean {
  if (argument.kind === "range") return value >= argument.from && value <= argument.to;
  const bound = argument.kind === "literal" ? argument.value : undefined;
  if (typeof bound !== "bigint") return false;
  if (name === "size") return value === bound;
  if (name === "lt") return value < bound;
  if (name === "le") return value <= bound;
  return name === "gt" ? value > bound : value >= bound;
}

function inRange(type: Type & { kind: "range" }, seen: Seen): boolean {
  return seen.kind === "int" && seen.value >= type.from && seen.value <= type.to;
}

function printed(type: Type): string {
  if (type.kind === "range") return `${type.from}..${type.to}`;
  if (type.kind !== "literal") return type.kind;
  if (typeof type.value === "object") return `h'${Buffer.from(type.value).toString("hex")}'`;
  return typeof type.value === "string" ? JSON.stringify(type.value) : String(type.value);
}
