interface RunTest {
  fullName: string;
  result: () => { state: "passed" | "failed" | "skipped" | "pending"; note?: string };
}

interface RunModule {
  relativeModuleId: string;
  children: { allTests: () => Iterable<RunTest> };
  errors: () => readonly unknown[];
  state: () => string;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function countTests(modules: Iterable<RunModule>): {
  counts: Counts;
  silent: { file: string; reasons: string[] }[];
};

export function summaryOf(counts: Counts): string;
