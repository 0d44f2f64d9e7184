// Makes the screenshots of the README from the demo, after a build.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import usualPlaces from "./chromium-places.json" with { type: "json" };

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const SESSION = "c0734136-959c-41c9-8454-769ac7a74f43";

const PICTURES = [
  { name: "overview", path: "/?period=90d", ready: ".heat rect" },
  { name: "session", path: `/sessions/${SESSION}`, ready: ".time-line svg" },
];

const program = join(root, "dist", "pollux.js");
const server = spawn(process.execPath, [program, "serve", "--demo", "--port", "0", "--json"]);
const { url } = JSON.parse(
  await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data)))),
);

const executablePath = [process.env.CHROME_PATH, ...usualPlaces].find((path) =>
  existsSync(path ?? ""),
);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({
  viewport: { width: 1280, height: 700 },
  colorScheme: "light",
  locale: "en-US",
  timezoneId: "UTC",
});
await page.goto(url);
for (const { name, path, ready } of PICTURES) {
  await page.goto(new URL(path, url).href);
  await page.locator(ready).first().waitFor();
  // Remove the local path of the demo.
  await page.evaluate("document.querySelector('.recorded')?.remove()");
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(root, "docs", "images", `${name}.png`) });
}
await browser.close();
server.kill();
