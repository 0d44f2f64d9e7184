import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";

/** Where a Chromium usually is; `CHROME_PATH` comes first. */
const USUAL_PLACES: readonly string[] = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

export const NO_CHROMIUM = "no Chromium was found: install one, or name it in CHROME_PATH";

/** The path of a Chromium that can be started, or nothing. */
export function findChromium(): string | undefined {
  const places = [process.env["CHROME_PATH"], ...USUAL_PLACES, ownChromium()];
  return places.find((path) => path !== undefined && path !== "" && existsSync(path));
}

/** The one that playwright would download, when somebody did. */
function ownChromium(): string | undefined {
  try {
    return chromium.executablePath();
  } catch {
    // It has none for this system.
    return undefined;
  }
}

export async function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
