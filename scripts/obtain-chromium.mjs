// Browser tests need Chromium. Installs it on Debian, as root; elsewhere prints what is missing.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const usual = readFileSync(new URL("chromium-places.json", import.meta.url), "utf8");
const places = [process.env.CHROME_PATH, ...JSON.parse(usual)];

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
    console.log("Chromium was not found and cannot be installed: browser tests are skipped.");
    console.log("Set CHROME_PATH if it is in an unusual place.");
  }
}
