/** Fields with our own names, ids or times, never text from a person or a program. */
const STRUCTURE = new Set(
  (
    "id parentId parentCallId agentId callId copyOf sessionId messageId source ledgerName " +
    "kind author level signal standing reason form outcome status category canonical label " +
    "role format part generation how knownBy at startedAt updatedAt firstAt lastAt severity " +
    "code hash mediaType"
  ).split(" "),
);

/** Fields that repeat another field or its position; masked, but not counted. */
const REPEATED = new Set([
  ..."place places usagePlace clues replies typed results shellLine files spill".split(" "),
  ..."signature partSignatures".split(" "),
]);

/** Keys of objects below this field are not ours, so they are text, too. */
const FOREIGN = "args";

export type Visit = (text: string, path: string) => void;

/** `structure`: one of our names or an id; not searched for people's paths and names. */
type TextRole = "words" | "repeated" | "structure";
export type Change = (text: string, role: TextRole) => string;

/** Calls `visit` for every string in a value, with its path. */
export function visitStrings(value: unknown, visit: Visit, path = ""): void {
  if (typeof value === "string") return visit(value, path);
  if (Array.isArray(value)) {
    value.forEach((item, index) => visitStrings(item, visit, `${path}[${index}]`));
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const isForeign = /(^|\.)args($|[.[])/.test(path);
  for (const [key, inner] of Object.entries(value)) {
    if (isForeign) visit(key, path);
    visitStrings(inner, visit, path === "" ? key : `${path}.${key}`);
  }
}

/** Returns the value with every string changed. */
export function mapStrings<T>(value: T, change: Change): T {
  return mapAny(value, { change, role: "words", whose: "ours" }) as T;
}

interface Mapping {
  change: Change;
  role: TextRole;
  whose: "ours" | "foreign";
}

function mapAny(value: unknown, mapping: Mapping): unknown {
  const { change, role, whose } = mapping;
  if (typeof value === "string") return change(value, role);
  if (Array.isArray(value)) return value.map((item) => mapAny(item, mapping));
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (whose === "foreign") return [change(key, role), mapAny(inner, mapping)];
    if (key === FOREIGN) return [key, mapAny(inner, { ...mapping, whose: "foreign" })];
    return [key, mapAny(inner, { ...mapping, role: roleOf(key, inner, role) })];
  });
  return Object.fromEntries(pairs);
}

function roleOf(key: string, value: unknown, context: TextRole): TextRole {
  if (STRUCTURE.has(key) && typeof value === "string") return "structure";
  return REPEATED.has(key) ? "repeated" : context;
}
