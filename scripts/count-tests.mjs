// Counts the results of a test run. A file that executed no test fails the run: a test that
// vanishes must not look like one that passes. Skipping a whole file is allowed with a reason, in
// `skip("reason")` or in brackets in the name of what is skipped: `in a browser (no Chromium)`.

/** Counts tests; lists files that executed none, and tests that needed a retry. */
export function countTests(modules) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const silent = [];
  const retried = [];
  for (const module of modules) {
    const tests = [...module.children.allTests()];
    for (const test of tests.filter((candidate) => candidate.diagnostic()?.flaky)) {
      const errors = test.result().errors ?? [];
      retried.push({ file: module.relativeModuleId, name: test.fullName, why: errors[0]?.message });
    }
    const states = tests.map((test) => test.result().state);
    for (const state of states) counts[state === "pending" ? "failed" : state] += 1;
    // A file that cannot be loaded has no tests, but counts as a failure.
    const isBroken = module.errors().length > 0 || module.state() === "failed";
    if (isBroken && !states.includes("failed")) counts.failed += 1;
    if (isBroken || states.some((state) => state !== "skipped")) continue;
    const reasons = [...new Set(tests.flatMap(reasonsOf))];
    silent.push({ file: module.relativeModuleId, reasons });
    if (reasons.length === 0) counts.failed += 1;
  }
  return { counts, silent, retried };
}

function reasonsOf(test) {
  const { note } = test.result();
  if (note !== undefined) return [note];
  return [...test.fullName.matchAll(/\(([^()]+)\)/g)].map(([, reason]) => reason);
}

export function summaryOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
