import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import type { ViteUserConfig } from "vitest/config";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/**
 * Test files that need a browser, a built program, a large home, a whole corpus, or seconds. They say
 * so by a comment, `@module-tag slow`, and are left out of `npm run test:fast` before they are
 * loaded: loading them would take most of their time.
 */
function slowFiles(): string[] {
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join("test", path))
    .filter((path) => /^\/\/ @module-tag slow$/m.test(readFileSync(path, "utf8")));
}

/** The long ones begin first: at the end, nobody waits for the last of them. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = new Set(slowFiles().map((path) => resolve(path)));
    // oxlint-disable-next-line no-array-sort -- not of an array
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.has(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

const config: ViteUserConfig = defineConfig({
  test: {
    testTimeout: 60_000,
    // A program, a server or a page may need more than the usual second on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // Tests with a browser, a server or a program mostly wait for it.
    maxWorkers: "200%",
    setupFiles: ["test/setup.ts"],
    sequence: { sequencer: SlowFirst },
    // Browsers, servers and programs may be late on a busy machine. The end of a run names whatever
    // needed a second try: a race may be ours.
    retry: 1,
    tags: [{ name: "slow", description: "Not part of npm run test:fast." }],
    // Its modules name one another without their extension, which only a bundler understands.
    server: { deps: { inline: ["@ldclabs/cose-ts"] } },
    projects: [
      // Each in a process of its own: in one that has run many others they take half as long again.
      { name: "slow", include: slowFiles() },
      // Of these, starting a process and loading modules for each file took most of the time.
      { name: "fast", include: ["test/**/*.test.ts"], exclude: slowFiles(), isolate: false },
      { name: "long", include: ["test/long/**/*.long.ts"], testTimeout: 1_800_000 },
    ].map((project) => ({
      extends: true,
      test: { globalSetup: ["test/run-folder.ts"], ...project },
    })),
  },
});

export default config;
