import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import usualPlaces from "../../scripts/chromium-places.json" with { type: "json" };

export const NO_CHROMIUM = "no Chromium was found: install one, or name it in CHROME_PATH";

/** The path of a Chromium that can be started, or nothing. */
export function findChromium(): string | undefined {
  const places = [process.env["CHROME_PATH"], ...usualPlaces, ownChromium()];
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
  // It ends with whoever has started it, also without being asked to.
  return chromium.launch({ executablePath, args: ["--no-sandbox"], handleSIGTERM: false });
}
