// Runs the unit tests; the last line is `N passed, N failed` (and `, N skipped` when any).
import { startVitest } from "vitest/node";

const vitest = await startVitest("test", process.argv.slice(2), { project: ["unit"], run: true });
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const module of vitest.state.getTestModules()) {
  let found = 0;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    counts[state === "pending" ? "failed" : state] += 1;
    found += 1;
  }
  // A file that cannot be loaded has no tests to fail; it must not pass for that.
  const hasOwnError = module.errors().length > 0;
  if (hasOwnError || (found === 0 && module.state() === "failed")) counts.failed += 1;
}
counts.failed += vitest.state.getUnhandledErrors().length;
await vitest.close();

const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
