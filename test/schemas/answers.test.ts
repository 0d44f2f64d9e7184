// @module-tag slow
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { makeSchemas, publishedText, schemaFile } from "../../scripts/make-schemas.mjs";
import { commands } from "../../src/cli/commands/index.ts";
import { run } from "../cli/run.ts";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";

const schemas = makeSchemas();
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });

/** Commands on the demo whose answers fill as many fields as possible. */
const QUESTIONS: Readonly<Record<string, readonly string[][]>> = {
  calls: [["--limit", "1"]],
  compare: [["flash", "pro", "--what", "models"]],
  completion: [["bash"], ["fish"]],
  doctor: [[], ["--report"]],
  explain: [["latest"]],
  handover: [["latest", "--to", "codex", "--dry-run"]],
  insights: [[]],
  note: [[]],
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

interface Printed {
  schemaVersion?: number;
}

function problemsOf(command: string, printed: string): unknown {
  const isValid = ajv.compile(schemas.get(command) ?? false);
  return isValid(JSON.parse(printed)) === true ? [] : isValid.errors;
}

test("every command with an answer has a schema", () => {
  // `pollux --json` is the overview; the schema of events is written by hand.
  const others = new Set(["home", "events"]);
  const names = commands.map(({ name }) => name).filter((name) => !others.has(name));
  expect([...schemas.keys()].toSorted()).toEqual(names.toSorted());
});

test.each([...schemas])(
  "schemas/%s.schema.json is generated from the current types",
  (command, schema) => {
    const text = existsSync(schemaFile(command)) ? readFileSync(schemaFile(command), "utf8") : "";
    expect(text, "node scripts/make-schemas.mjs").toBe(publishedText(command, schema));
  },
);

test.each(Object.entries(QUESTIONS))("%s of the demo matches its schema", async (...asked) => {
  const [command, questions] = asked;
  for (const question of questions) {
    const { out } = await run([command, ...question, "--demo", "--json"]);
    expect(problemsOf(command, out)).toEqual([]);
    expect(JSON.parse(out)).toMatchObject({ schemaVersion: 2 });
  }
});

/**
 * Runs commands on a home of their own and returns what the schema finds wrong with the answers.
 */
function printer(): { folder: string; problems: (...line: string[]) => Promise<unknown> } {
  const { folder } = homeWith(TOUR_HOME);
  const home = ["--root", join(folder, ".gemini"), "--archive", join(folder, "archive.db")];
  const problems = async (...line: string[]): Promise<unknown> => {
    const { code, out, err } = await run([...line, ...home, "--json"]);
    expect([line, code, err]).toEqual([line, 0, expect.anything()]);
    expect([line, JSON.parse(out)]).toMatchObject([line, { schemaVersion: 2 }]);
    return [line, problemsOf(line[0] ?? "", out)];
  };
  return { folder, problems };
}

test("answers about kept sessions and annotations match their schemas", async () => {
  const { folder, problems } = printer();
  const file = (name: string): string => join(folder, name);
  writeFileSync(file("total.ts"), "export const total = 0;\n");
  for (const line of [
    ["keep"],
    ["tag", TOUR_ID, "migration"],
    ["tag"],
    ["note", TOUR_ID, "Look again"],
    ["note"],
    ["star", TOUR_ID],
    ["star"],
    ["title", TOUR_ID, "The tour"],
    ["title"],
    ["restore", TOUR_ID, "--dry-run"],
    ["restore", TOUR_ID, "--versions"],
    ["blame", file("total.ts")],
    ["archive", "stats"],
    ["archive", "verify"],
    ["archive", "compact"],
    ["archive", "export", file("kept.pollux")],
    ["archive", "import", file("kept.pollux")],
    ["rebuild"],
    ["sync", "status"],
    ["export", TOUR_ID, "--to", "html", "--share", "--out", file("page.html")],
    ["hook", "install"],
    ["mcp", "install", "gemini"],
    ["service", "install"],
    ["service", "status"],
    ["forget", TOUR_ID],
    ["forget", TOUR_ID, "--yes"],
  ]) {
    expect(await problems(...line)).toEqual([line, []]);
  }
});

test("answers about records, keys and signatures match their schemas", async () => {
  const { folder, problems } = printer();
  const file = (name: string): string => join(folder, name);
  const keys = ["--key", file("key.key.pem"), "--issuer", "https://example.org/ada"];
  for (const line of [
    ["record", TOUR_ID, "--out", file("r.json")],
    ["record", "--invert", file("r.json"), "--out", file("back")],
    ["keys", "new", "key", "--out", folder],
    ["sign", file("r.json"), ...keys],
    ["verify", file("r.json.cose"), file("r.json"), "--key", file("key.pub.pem")],
  ]) {
    expect(await problems(...line)).toEqual([line, []]);
  }
});

test("a conformance run matches its schema", async () => {
  const kit = join(import.meta.dirname, "..", "fixtures", "gemini-cli", "append-jsonl");
  const { code, out } = await run(["conformance", kit, "--only", "empty-file", "--json"]);
  expect([code, problemsOf("conformance", out)]).toEqual([0, []]);
  expect(JSON.parse(out)).toMatchObject({ schemaVersion: 2, cases: 1 });
});

test("each line of calls and events has its schema version", async () => {
  for (const line of [["calls"], ["events", "latest", "--with", "text,usage"]]) {
    const { out } = await run([...line, "--demo", "--json"]);
    const versions = out
      .trim()
      .split("\n")
      .map((text) => (JSON.parse(text) as Printed).schemaVersion);
    expect(new Set(versions)).toEqual(new Set([2]));
  }
});
