import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configureGlobal } from "fast-check";
import { afterAll } from "vitest";

// No test may read the sessions, the settings or the terminal of the person who runs it.
const folder = mkdtempSync(join(tmpdir(), "pollux-test-"));
const home = join(folder, "home");
const temporary = join(folder, "tmp");
for (const path of [home, temporary]) mkdirSync(path);
// Some tests run a program as another user.
chmodSync(folder, 0o755);
for (const name of Object.keys(process.env)) {
  if (/^(GEMINI_|CLAUDE_|CODEX_|QWEN_|POLLUX_(?!(?:LONG|TEST_DSN)$)|XDG_)/.test(name))
    delete process.env[name];
}
for (const name of ["NO_COLOR", "FORCE_COLOR", "PAGER", "LESS", "COLUMNS", "CLICOLOR_FORCE"]) {
  delete process.env[name];
}
process.env["HOME"] = home;
process.env["USERPROFILE"] = home;
process.env["TZ"] = "UTC";
// Whatever a test makes and leaves behind goes with all the rest.
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = temporary;

// Every run tries the same cases, so that it fails for a change and not by chance; the long tests
// look for new ones.
if (process.env["POLLUX_LONG"] === undefined) configureGlobal({ seed: 20_261_116 });

afterAll(() => rmSync(folder, { recursive: true, force: true }));
