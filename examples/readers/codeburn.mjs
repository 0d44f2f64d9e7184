// Runs codeburn on a home and prints its answer for the conformance kit (docs/guide/conformance.md):
//
//   npm install -g codeburn
//   pollux conformance test/fixtures/corpora --reader 'node examples/readers/codeburn.mjs {tree}'
import { spawnSync } from "node:child_process";

const [home = "."] = process.argv.slice(2);
const env = { ...process.env, HOME: home };
const asked = ["report", "--format", "json", "--period", "all"];
const run = spawnSync("codeburn", asked, { env, encoding: "utf8", maxBuffer: 1 << 28 });
if (run.error) throw run.error;
// Without any sessions it prints a sentence instead of JSON.
const { overview } = run.stdout.startsWith("{") ? JSON.parse(run.stdout) : {};
const total = Object.values(overview?.tokens ?? {}).reduce((sum, count) => sum + count, 0);
console.log(JSON.stringify({ totals: { total } }));
