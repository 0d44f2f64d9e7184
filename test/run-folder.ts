import { chmodSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs before the first test. Removes environment variables with settings of the user or the
 * terminal, and gives all tests one temporary folder, which is removed after the last test.
 * Processes that run tests inherit this environment.
 */
export default function prepareRun(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pollux-test-"));
  // Some tests run a program as another user.
  chmodSync(folder, 0o755);
  for (const name of Object.keys(process.env)) {
    if (/^(GEMINI_|CLAUDE_|CODEX_|QWEN_|POLLUX_(?!(?:LONG|TEST_DSN)$)|XDG_)/.test(name))
      delete process.env[name];
  }
  for (const name of ["NO_COLOR", "FORCE_COLOR", "PAGER", "LESS", "COLUMNS", "CLICOLOR_FORCE"]) {
    delete process.env[name];
  }
  process.env["TZ"] = "UTC";
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  // Retries, because a browser or server may still write while it ends.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}
