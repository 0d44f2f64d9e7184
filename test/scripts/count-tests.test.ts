import { describe, expect, test } from "vitest";
import { countTests, summaryOf } from "../../scripts/count-tests.mjs";

type Module = Parameters<typeof countTests>[0] extends Iterable<infer One> ? One : never;
type State = "passed" | "failed" | "skipped" | "pending";

interface Ran {
  states?: State[];
  note?: string;
  name?: string;
  error?: boolean;
  flaky?: boolean;
}

function moduleOf({ states = [], note, name = "adds up", error, flaky }: Ran): Module {
  const tests = states.map((state) => ({
    fullName: name,
    result: () => ({
      state,
      ...(note === undefined ? {} : { note }),
      ...(flaky ? { errors: [{ message: "came too late" }] } : {}),
    }),
    diagnostic: () => ({ flaky: flaky === true }),
  }));
  const isFailed = error === true || states.includes("failed");
  return {
    relativeModuleId: "test/some.test.ts",
    children: { allTests: () => tests },
    errors: () => (error ? [new Error("no such module")] : []),
    state: () => (isFailed ? "failed" : "passed"),
  };
}

const lineOf = (...modules: Module[]): string => summaryOf(countTests(modules).counts);

describe("counting the tests of a run", () => {
  test("counts single tests", () => {
    const ran = moduleOf({ states: ["passed", "passed", "skipped"] });
    expect(lineOf(ran, moduleOf({ states: ["passed"] }))).toBe("3 passed, 0 failed, 1 skipped");
    expect(lineOf(moduleOf({ states: ["passed", "failed"] }))).toBe("1 passed, 1 failed");
  });

  test("counts a file that cannot be loaded as one failure", () => {
    expect(lineOf(moduleOf({ error: true }))).toBe("0 passed, 1 failed");
    expect(lineOf(moduleOf({ error: true, states: ["passed"] }))).toBe("1 passed, 1 failed");
  });

  test("names tests that needed a retry, and the reason", () => {
    const { counts, retried } = countTests([moduleOf({ states: ["passed"], flaky: true })]);
    expect(summaryOf(counts)).toBe("1 passed, 0 failed");
    expect(retried).toEqual([{ file: "test/some.test.ts", name: "adds up", why: "came too late" }]);
  });

  test("counts a test that never ended as a failure", () => {
    expect(lineOf(moduleOf({ states: ["pending"] }))).toBe("0 passed, 1 failed");
  });

  test("counts a file without tests as a failure", () => {
    expect(countTests([moduleOf({})])).toEqual({
      counts: { passed: 0, failed: 1, skipped: 0 },
      silent: [{ file: "test/some.test.ts", reasons: [] }],
      retried: [],
    });
  });

  test("counts a file that skips all of its tests without a reason as a failure", () => {
    expect(lineOf(moduleOf({ states: ["skipped", "skipped"] }))).toBe(
      "0 passed, 1 failed, 2 skipped",
    );
  });

  test.each([
    { states: ["skipped" as const], note: "no Chromium was found" },
    { states: ["skipped" as const], name: "in a browser (no Chromium was found) opens" },
  ])("reports a file that skips all of its tests with a reason", (ran) => {
    expect(countTests([moduleOf(ran)])).toEqual({
      counts: { passed: 0, failed: 0, skipped: 1 },
      silent: [{ file: "test/some.test.ts", reasons: ["no Chromium was found"] }],
      retried: [],
    });
  });
});
