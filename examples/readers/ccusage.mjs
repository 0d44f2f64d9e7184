// Runs ccusage on a home and prints its answer for the conformance kit (docs/guide/conformance.md):
//
//   npm install -g ccusage
//   pollux conformance test/fixtures/corpora --reader 'node examples/readers/ccusage.mjs {tree}'
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const [home = "."] = process.argv.slice(2);
const env = { ...process.env, HOME: home, GEMINI_DATA_DIR: join(home, ".gemini") };
const run = spawnSync("ccusage", ["monthly", "--json", "--offline"], { env, encoding: "utf8" });
if (run.error) throw run.error;
// Without any sessions it prints a sentence instead of JSON.
const { totals } = run.stdout.startsWith("{") ? JSON.parse(run.stdout) : {};
console.log(JSON.stringify({ totals: { total: totals?.totalTokens ?? 0 } }));
