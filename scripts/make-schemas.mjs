// Writes schemas/NAME.schema.json for every command: what its `--json` prints, from the types.
// Usage: node scripts/make-schemas.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGenerator } from "ts-json-schema-generator";

const root = fileURLToPath(new URL("..", import.meta.url));
const types = join(root, "src", "cli", "print", "answers.ts");

/** By command. Strict: undeclared fields are not allowed. */
export function makeSchemas() {
  const generator = createGenerator({
    path: types,
    tsconfig: join(root, "tsconfig.json"),
    skipTypeCheck: true,
    additionalProperties: false,
    topRef: false,
    jsDoc: "basic",
  });
  const names = [...readFileSync(types, "utf8").matchAll(/^export type (\w+)Json\b/gm)];
  return new Map(
    names.map(([, name]) => [name.toLowerCase(), generator.createSchema(`${name}Json`)]),
  );
}

export function schemaFile(command) {
  return join(root, "schemas", `${command}.schema.json`);
}

/** The published form allows further fields, which do not need a new version. */
export function publishedText(command, schema) {
  const open = JSON.stringify(schema, (name, value) => {
    return name === "additionalProperties" && value === false ? undefined : value;
  });
  const { $schema, ...rest } = JSON.parse(open);
  const title = `What \`pollux ${command} --json\` prints`;
  return `${JSON.stringify({ $schema, $id: `urn:pollux:${command}:2`, title, ...rest }, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [command, schema] of makeSchemas()) {
    writeFileSync(schemaFile(command), publishedText(command, schema));
  }
}
