import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { atEndOfFile } from "./end-of-file.ts";

const repository = resolve(import.meta.dirname, "..");

/**
 * Bundles the file that a thread runs, and deletes it after the test file: Node does not run the
 * TypeScript sources directly.
 */
export async function bundledThread(input: string): Promise<string> {
  const cache = join(repository, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "pollux-thread-"));
  atEndOfFile(async () => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "thread.mjs");
  const external = [/^node:/, "@photostructure/sqlite"];
  const bundle = await rolldown({ cwd: repository, input, platform: "node", external });
  await bundle.write({ file: script, format: "esm", codeSplitting: false });
  await bundle.close();
  return script;
}
