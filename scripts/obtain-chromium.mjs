// The browser tests need a Chromium. On a fresh Debian it is installed; elsewhere it is asked for.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const places = [
  process.env.CHROME_PATH,
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

if (!places.some((path) => path && existsSync(path))) {
  const isOurs = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (isOurs) {
    const install = "apt-get install -y --no-install-recommends chromium";
    console.log(`No Chromium was found; ${install}`);
    const command = `(${install} || (apt-get update && ${install})) >/dev/null 2>&1`;
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("sh", ["-c", command], { stdio: "inherit", timeout: 300_000, env });
  }
  if (!places.some((path) => path && existsSync(path))) {
    console.log("No Chromium can be had here, so the browser tests are skipped.");
    console.log("CHROME_PATH names one that lies elsewhere.");
  }
}
