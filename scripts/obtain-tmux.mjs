// The terminal tests need tmux. On a fresh Debian it is installed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const isThere = () => spawnSync("tmux", ["-V"]).status === 0;

if (!isThere()) {
  const isOurs = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (isOurs) {
    const install = "apt-get install -y --no-install-recommends tmux procps";
    console.log(`No tmux was found; ${install}`);
    const command = `(${install} || (apt-get update && ${install})) >/dev/null 2>&1`;
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("sh", ["-c", command], { stdio: "inherit", timeout: 300_000, env });
  }
  if (!isThere())
    console.log("tmux was not found and cannot be installed: terminal tests are skipped.");
}
