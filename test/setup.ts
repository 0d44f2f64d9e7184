import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// No test may read the sessions, the settings or the terminal of the person who runs it.
const home = mkdtempSync(join(tmpdir(), "pollux-home-"));
for (const name of Object.keys(process.env)) {
  if (/^(GEMINI_|POLLUX_(?!LONG$)|XDG_)/.test(name)) delete process.env[name];
}
for (const name of ["NO_COLOR", "FORCE_COLOR", "PAGER", "LESS", "COLUMNS", "CLICOLOR_FORCE"]) {
  delete process.env[name];
}
process.env["HOME"] = home;
process.env["USERPROFILE"] = home;
process.env["TZ"] = "UTC";

afterAll(() => rmSync(home, { recursive: true, force: true }));
