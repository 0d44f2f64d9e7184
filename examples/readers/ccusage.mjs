// What ccusage says of a home, as an answer of the conformance kit (docs/guide/conformance.md):
//
//   npm install -g ccusage
//   pollux conformance test/fixtures/corpora --reader 'node examples/readers/ccusage.mjs {tree}'
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const [home = "."] = process.argv.slice(2);
const env = { ...process.env, HOME: home, GEMINI_DATA_DIR: join(home, ".gemini") };
const run = spawnSync("ccusage", ["monthly", "--json", "--offline"], { env, encoding: "utf8" });
if (run.error) throw run.error;
// In a home without anything that it knows it prints a sentence.
const { totals } = run.stdout.startsWith("{") ? JSON.parse(run.stdout) : {};
console.log(JSON.stringify({ totals: { total: totals?.totalTokens ?? 0 } }));
