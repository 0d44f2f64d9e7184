import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sources } from "../../src/sources/index.ts";

const keeping = sources.filter(({ abilities }) => abilities.retention !== undefined);

// Opening a pipe waits for a writer that never comes: a failure would hang.
describe.skipIf(process.platform === "win32")(
  "settings that are a named pipe (needs mkfifo)",
  () => {
    test.each(keeping)("$name: are not opened, and the default applies", ({ abilities }) => {
      const path = join(mkdtempSync(join(tmpdir(), "pollux-pipe-")), "home");
      mkdirSync(path);
      execFileSync("mkfifo", [join(path, "settings.json")]);
      const root = { path, because: "a test", isFound: true };
      expect(abilities.retention?.settings(root).from).toContain("default");
    });
  },
);
