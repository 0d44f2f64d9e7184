import { chmodSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Before the first test, for all of them: no test may read the settings or the terminal of the
 * person who runs it, and whatever a test makes and leaves behind goes when the last one has ended.
 * Programs that run the tests inherit what is set here.
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
  // A browser or a server that was told to end may write its last meanwhile.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}
