// Runs tests; the last line is `N passed, N failed` (and `, N skipped` when any).
//
//   node scripts/run-tests.mjs [--project NAME…] [FILTER…]
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { countTests, summaryOf } from "./count-tests.mjs";

const { values, positionals } = parseArgs({
  options: { project: { type: "string", multiple: true, default: ["slow", "fast"] } },
  allowPositionals: true,
});
const vitest = await startVitest("test", positionals, { project: values.project, run: true });
const { counts, silent, retried } = countTests(vitest.state.getTestModules());
counts.failed += vitest.state.getUnhandledErrors().length;
await vitest.close();

for (const { file, reasons } of silent) {
  const why = reasons.length > 0 ? `skipped: ${reasons.join("; ")}` : "FAILED: without saying why";
  console.log(`${file} executed no test (${why})`);
}
for (const { file, name, why } of retried) {
  console.log(`${file} needed a second try: ${name}\n  ${why ?? "no reason was given"}`);
}
console.log(summaryOf(counts));
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
