// @module-tag slow
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { makeSchemas, publishedText, schemaFile } from "../../scripts/make-schemas.mjs";
import { run } from "../cli/run.ts";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";

const schemas = makeSchemas();
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });

/** Questions to the demo whose answers fill as many fields as can be. */
const QUESTIONS: Readonly<Record<string, readonly string[][]>> = {
  calls: [["--limit", "1"]],
  compare: [["flash", "pro", "--what", "models"]],
  doctor: [[]],
  explain: [["latest"]],
  handover: [["latest", "--to", "codex", "--dry-run"]],
  insights: [[]],
  overview: [[]],
  resume: [["latest"]],
  search: [["test"], ["nothing-at-all-of-this"]],
  secrets: [[]],
  sessions: [[], ["--limit", "2"]],
  show: [["latest"]],
  tools: [[]],
  usage: [[], ["--by", "agent", "--budget", "100"]],
  uses: [["--tool", "Bash"]],
};

function problemsOf(command: string, printed: string): unknown {
  const isValid = ajv.compile(schemas.get(command) ?? false);
  return isValid(JSON.parse(printed)) === true ? [] : isValid.errors;
}

test.each([...schemas])("schemas/%s.schema.json is what the types say", (command, schema) => {
  const text = existsSync(schemaFile(command)) ? readFileSync(schemaFile(command), "utf8") : "";
  expect(text, "node scripts/make-schemas.mjs").toBe(publishedText(command, schema));
});

test.each(Object.entries(QUESTIONS))("%s of the demo is as its schema says", async (...asked) => {
  const [command, questions] = asked;
  for (const question of questions) {
    const { out } = await run([command, ...question, "--demo", "--json"]);
    expect(problemsOf(command, out)).toEqual([]);
    if (command !== "calls") expect(JSON.parse(out)).toMatchObject({ schemaVersion: 2 });
  }
});

test("so are the answers about what is kept, written and signed", async () => {
  const { folder } = homeWith(TOUR_HOME);
  const home = ["--root", join(folder, ".gemini"), "--archive", join(folder, "archive.db")];
  const file = (name: string): string => join(folder, name);
  const print = async (...line: string[]): Promise<string> => {
    const { code, out, err } = await run([...line, ...home, "--json"]);
    expect(code, err).toBe(0);
    return out;
  };
  expect(problemsOf("keep", await print("keep"))).toEqual([]);
  await print("tag", TOUR_ID, "migration");
  expect(problemsOf("tag", await print("tag"))).toEqual([]);
  expect(problemsOf("restore", await print("restore", TOUR_ID, "--dry-run"))).toEqual([]);
  writeFileSync(file("total.ts"), "export const total = 0;\n");
  expect(problemsOf("blame", await print("blame", file("total.ts")))).toEqual([]);
  await print("record", TOUR_ID, "--out", file("r.json"));
  await print("keys", "new", "key", "--out", folder);
  const keys = ["--key", file("key.key.pem"), "--issuer", "https://example.org/ada"];
  await print("sign", file("r.json"), ...keys);
  const seal = [file("r.json.cose"), file("r.json"), "--key", file("key.pub.pem")];
  expect(problemsOf("verify", await print("verify", ...seal))).toEqual([]);
});
