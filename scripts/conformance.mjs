// Runs the conformance kit (docs/conformance.md) against Pollux or another reader.
// usage: node scripts/conformance.mjs [--reader CMD] [--only TEXT] [--json]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { layOut, readCases } from "./conformance/cases.mjs";
import { compareAnswers } from "./conformance/compare.mjs";
import { neutralAnswer } from "./conformance/neutral.mjs";

const { values: options } = parseArgs({
  options: {
    reader: { type: "string" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

const USAGE = `Runs the conformance kit: small homes, with what is to be found in them.

  npm run conformance                            Pollux itself
  npm run conformance -- --reader "CMD"          another reader: CMD HOME prints the neutral JSON
  npm run conformance -- --only rewind           cases whose name contains the text
  npm run conformance -- --json                  the result as JSON

The shape of the answer is described in docs/conformance.md.`;

if (options.help) {
  console.log(USAGE);
  process.exit(0);
}

const reader = options.reader === undefined ? await ownReader() : outsideReader(options.reader);
const cases = readCases().filter(({ id }) => id.includes(options.only ?? ""));
const results = [];
for (const one of cases) results.push({ id: one.id, about: one.about, ...(await judge(one)) });
const failed = results.filter(({ wrong, error }) => error !== undefined || wrong.length > 0);

if (options.json) console.log(JSON.stringify(results, null, 2));
else print();
process.exit(failed.length > 0 ? 1 : 0);

async function judge(one) {
  const home = mkdtempSync(join(tmpdir(), "pollux-conformance-"));
  try {
    layOut(one, home);
    return compareAnswers(one.expected, await reader(home));
  } catch (error) {
    return { wrong: [], unanswered: [], error: error.message };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function ownReader() {
  const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "index.js");
  const { open } = await import(pathToFileURL(dist).href);
  return (home) => {
    const environment = { env: {}, homeDir: home, tempDir: join(home, "no-temp") };
    return neutralAnswer(open({ environment }), home);
  };
}

function outsideReader(command) {
  return (home) => {
    const env = { ...process.env, HOME: home, USERPROFILE: home };
    const run = spawnSync(`${command} "${home}"`, { shell: true, encoding: "utf8", env });
    if (run.status !== 0) {
      throw new Error(`The reader ended with ${run.status ?? run.signal}: ${run.stderr.trim()}`);
    }
    return JSON.parse(run.stdout);
  };
}

function print() {
  for (const { id, about, wrong, unanswered, error } of results) {
    const isFailed = error !== undefined || wrong.length > 0;
    const open = unanswered.length > 0 ? `  (${unanswered.length} not answered)` : "";
    console.log(`${isFailed ? "FAIL" : "ok  "}  ${id}${open}`);
    if (isFailed) console.log(`      ${about}`);
    if (error !== undefined) console.log(`      ${error}`);
    for (const { field, wanted, got } of wrong) {
      console.log(`      ${String(field)}`);
      console.log(`        expected ${short(wanted)}`);
      console.log(`        got      ${short(got)}`);
    }
  }
  console.log(`\n${results.length - failed.length} of ${results.length} cases as expected`);
}

function short(value) {
  const text = JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 399)}…` : text;
}
