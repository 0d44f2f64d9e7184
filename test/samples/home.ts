import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";

/** A folder with the given files, removed when the test ends; the library that reads it. */
export function homeWith(files: Record<string, string>): { library: Library; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "pollux-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, ".gemini", "tmp", "ledger", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  writeFileSync(
    join(folder, ".gemini", "tmp", "ledger", ".project_root"),
    "/home/ada/projects/ledger",
  );
  const library = open({
    roots: [join(folder, ".gemini")],
    environment: { homeDir: "/home/ada", env: {} },
  });
  return { library, folder };
}

export * from "./records.ts";
