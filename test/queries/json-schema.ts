/**
 * A small validator for the part of JSON Schema that the schemas of the package use. A keyword it
 * does not know is an error of the schema, so that no rule is silently skipped.
 */
export type Schema = Record<string, unknown>;

const KNOWN = new Set(
  "$schema $id $defs $ref title description type const enum oneOf properties required items"
    .split(" ")
    .concat(["additionalProperties", "pattern", "minimum", "minLength", "minItems"]),
);

/** Problems of a value, each with its path; none when it is valid. */
export function problemsOf(value: unknown, schema: Schema, root: Schema = schema): string[] {
  return check(value, schema, { root, path: "$" });
}

interface At {
  root: Schema;
  path: string;
}

function check(value: unknown, schema: Schema, at: At): string[] {
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword)) throw new Error(`The validator does not know "${keyword}".`);
  }
  if (typeof schema["$ref"] === "string") return check(value, resolve(schema["$ref"], at.root), at);
  return [
    ...checkType(value, schema, at),
    ...checkValue(value, schema, at),
    ...checkObject(value, schema, at),
    ...checkItems(value, schema, at),
    ...checkOneOf(value, schema, at),
  ];
}

function resolve(reference: string, root: Schema): Schema {
  const parts = reference.replace(/^#\//, "").split("/");
  const found = parts.reduce<unknown>((node, part) => (node as Schema | undefined)?.[part], root);
  if (found === undefined) throw new Error(`The schema has no ${reference}.`);
  return found as Schema;
}

function checkType(value: unknown, schema: Schema, { path }: At): string[] {
  const { type } = schema;
  if (type === undefined) return [];
  const types = Array.isArray(type) ? type : [type];
  return types.some((one) => isOfType(value, one)) ? [] : [`${path}: not ${types.join(" or ")}`];
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkValue(value: unknown, schema: Schema, { path }: At): string[] {
  const problems: string[] = [];
  if ("const" in schema && value !== schema["const"]) problems.push(`${path}: not the constant`);
  const choices = schema["enum"];
  if (Array.isArray(choices) && !choices.includes(value)) problems.push(`${path}: not in the enum`);
  const { pattern, minimum, minLength } = schema;
  if (typeof value === "string") {
    if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value)) {
      problems.push(`${path}: does not match ${pattern}`);
    }
    if (typeof minLength === "number" && value.length < minLength)
      problems.push(`${path}: too short`);
  }
  if (typeof value === "number" && typeof minimum === "number" && value < minimum) {
    problems.push(`${path}: below ${minimum}`);
  }
  return problems;
}

function checkObject(value: unknown, schema: Schema, at: At): string[] {
  if (!isObject(value)) return [];
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  const required = (schema["required"] ?? []) as string[];
  const missing = required
    .filter((key) => !(key in value))
    .map((key) => `${at.path}.${key}: missing`);
  const inside = Object.entries(value).flatMap(([key, inner]) => {
    const path = `${at.path}.${key}`;
    if (Object.hasOwn(properties, key)) return check(inner, properties[key] ?? {}, { ...at, path });
    return schema["additionalProperties"] === false ? [`${path}: unknown`] : [];
  });
  return [...missing, ...inside];
}

function checkItems(value: unknown, schema: Schema, at: At): string[] {
  if (!Array.isArray(value)) return [];
  const { items, minItems } = schema;
  const few =
    typeof minItems === "number" && value.length < minItems ? [`${at.path}: too few`] : [];
  if (items === undefined) return few;
  return few.concat(
    value.flatMap((item, index) =>
      check(item, items as Schema, { ...at, path: `${at.path}[${index}]` }),
    ),
  );
}

function checkOneOf(value: unknown, schema: Schema, at: At): string[] {
  const choices = schema["oneOf"] as Schema[] | undefined;
  if (!choices) return [];
  const told = choices.map((choice) => check(value, choice, at));
  const fitting = told.filter((problems) => problems.length === 0).length;
  if (fitting === 1) return [];
  if (fitting > 1) return [`${at.path}: fits ${fitting} of the choices`];
  const nearest = told.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return [`${at.path}: fits none of the choices`, ...nearest];
}
