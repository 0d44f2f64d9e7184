/** Fields that hold names of ours, ids or times, never words of a person or a program. */
const STRUCTURE = new Set(
  (
    "id parentId parentCallId agentId callId copyOf sessionId messageId source ledgerName " +
    "kind author level signal standing reason form outcome status category canonical label " +
    "role format part generation how knownBy at startedAt updatedAt firstAt lastAt severity " +
    "code hash mediaType"
  ).split(" "),
);

/** Fields that say again what another one says, or only where it stands: not counted. */
const REPEATED = new Set([
  ..."place places usagePlace clues replies typed results shellLine files spill".split(" "),
  ..."signature partSignatures".split(" "),
]);

/** Objects below this field have keys of somebody else's choice. */
const FOREIGN = "args";

export type Visit = (text: string, path: string) => void;

/** `structure`: a name of ours or an id; people's paths and names are not looked for in it. */
export type TextRole = "words" | "repeated" | "structure";
export type Change = (text: string, role: TextRole) => string;

/** Calls back for every text inside a value, with the path that leads to it. */
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

/** The same value with every text inside it changed. */
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
