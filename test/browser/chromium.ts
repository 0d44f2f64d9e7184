import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import usualPlaces from "../../scripts/chromium-places.json" with { type: "json" };

export const NO_CHROMIUM = "no Chromium was found: install one, or name it in CHROME_PATH";

/** Returns the path of an installed Chromium, if any. */
export function findChromium(): string | undefined {
  const places = [process.env["CHROME_PATH"], ...usualPlaces, ownChromium()];
  return places.find((path) => path !== undefined && path !== "" && existsSync(path));
}

/** The Chromium that Playwright downloads, if it was downloaded. */
function ownChromium(): string | undefined {
  try {
    return chromium.executablePath();
  } catch {
    // Playwright has no Chromium for this system.
    return undefined;
  }
}

export async function startChromium(executablePath: string): Promise<Browser> {
  // Chromium ends with its parent process, so SIGTERM needs no handler.
  return chromium.launch({ executablePath, args: ["--no-sandbox"], handleSIGTERM: false });
}
