interface RunTest {
  fullName: string;
  result: () => {
    state: "passed" | "failed" | "skipped" | "pending";
    note?: string;
    errors?: readonly { message: string }[] | undefined;
  };
  diagnostic: () => { flaky: boolean } | undefined;
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
  retried: { file: string; name: string; why: string | undefined }[];
};

export function summaryOf(counts: Counts): string;
