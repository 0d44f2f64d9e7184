import { expect, test } from "vitest";
import { browserCommand } from "../../src/cli/commands/serve.ts";
import { quoted } from "../../src/conformance/run.ts";

const URL = "http://127.0.0.1:4400/?key=abc&day=2026-11-15";

test.each([
  ["linux", ["xdg-open", URL]],
  ["darwin", ["open", URL]],
  ["win32", ["rundll32", "url.dll,FileProtocolHandler", URL]],
] as const)("opens the browser on %s without a shell", (platform, command) => {
  expect(browserCommand(URL, platform)).toEqual(command);
});

test.each([
  ["linux", "/tmp/it's here", String.raw`'/tmp/it'\''s here'`],
  ["darwin", "/tmp/$(id)", "'/tmp/$(id)'"],
  ["win32", String.raw`C:\My homes`, String.raw`"C:\My homes"`],
] as const)("quotes a home for the shell of %s", (platform, path, text) => {
  expect(quoted(path, platform)).toBe(text);
});
