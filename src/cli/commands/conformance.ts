import { wrongUsage } from "../../core/error.ts";
import { resolve } from "node:path";
import type { CaseResult } from "../../conformance/run.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { writeJson } from "../print/json.ts";
import { safeLine } from "../print/safe.ts";

/** What `--json` prints. */
export interface ConformanceAnswer {
  cases: number;
  asExpected: number;
  results: CaseResult[];
}

export const command: Command = {
  about:
    "A kit is a folder of agents' home folders, each with the answers that a correct reader " +
    "gives; the project's own kit is test/fixtures. Tests Pollux, or any other reader that " +
    "prints its answer as JSON (see docs/guide/conformance.md). Exits with 0 if every case " +
    "passes, otherwise with 1.",
  arguments: [{ name: "<folder>", about: "the kit, or a part of it" }],
  options: [
    {
      flags: "--reader <command>",
      about: "test this reader instead; {tree} is replaced by the folder",
    },
    { flags: "--only <text>", about: "run only cases whose name contains this text" },
  ],
  examples: [
    { line: "conformance test/fixtures", about: "Pollux, on the whole kit" },
    {
      line: "conformance test/fixtures/corpora --reader 'my-reader --json {tree}'",
      about: "another reader, on files of real agents",
    },
    { line: "conformance test/fixtures --only rewind --json", about: "for programs" },
  ],
  async run(context) {
    const { args, options, isJson, out } = context;
    const { readKit } = await import("../../conformance/kit.ts");
    const { commandReader, pollux, runCase } = await import("../../conformance/run.ts");
    const only = options.text("only") ?? "";
    const cases = readKit(resolve(args[0] ?? "")).filter(({ id }) => id.includes(only));
    if (cases.length === 0) throw wrongUsage(`No case has "${only}" in its name.`);
    const other = options.text("reader");
    const reader = other === undefined ? pollux : commandReader(other, context.env);
    const results: CaseResult[] = [];
    for (const tested of cases) {
      const result = await runCase(tested, reader);
      results.push(result);
      if (!isJson) for (const line of resultLines(result, context)) await out.line(line);
    }
    const failed = results.filter(isFailed).length;
    const right = results.length - failed;
    const answer: ConformanceAnswer = { cases: results.length, asExpected: right, results };
    if (isJson) await writeJson(out, answer);
    else {
      await out.line("");
      await out.line(`${right} of ${results.length} cases as expected`);
    }
    return failed === 0 ? EXIT.ok : EXIT.failed;
  },
};

function isFailed({ error, wrong }: CaseResult): boolean {
  return error !== null || wrong.length > 0;
}

function resultLines(result: CaseResult, { style }: Context): string[] {
  const { id, about, wrong, unanswered, error } = result;
  const open = unanswered.length > 0 ? style.dim(`  (${unanswered.length} not answered)`) : "";
  if (!isFailed(result)) return [`${style.green("ok  ")}  ${safeLine(id)}${open}`];
  return [
    `${style.red("FAIL")}  ${safeLine(id)}${open}`,
    `      ${safeLine(about)}`,
    ...(error === null ? [] : [`      ${safeLine(error)}`]),
    ...wrong.flatMap(({ field, wanted, got }) => [
      `      ${safeLine(field)}`,
      `        expected ${short(wanted)}`,
      `        got      ${short(got)}`,
    ]),
  ];
}

const MOST_CHARACTERS = 400;

function short(value: unknown): string {
  const text = safeLine(JSON.stringify(value));
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}
