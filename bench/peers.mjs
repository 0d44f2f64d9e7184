// Installs the peers that Pollux is compared with, into a temporary folder.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const PEERS = { ccusage: "20.0.24", codeburn: "0.9.15", tokscale: "1.4.3" };
/** Package names that differ from the peer's name. */
const PACKAGES = { tokscale: "@tokscale/core" };
/** For peers that need a newer Node than the current one. */
const NODE = "24.21.0";

const TOKSCALE = join(import.meta.dirname, "tokscale.mjs");

/** The peers' names of the agents. */
const NAMES = {
  "gemini-cli": { ccusage: "gemini", codeburn: "gemini", tokscale: "gemini" },
  "claude-code": { ccusage: "claude", codeburn: "claude", tokscale: "claude" },
  codex: { ccusage: "codex", codeburn: "codex", tokscale: "codex" },
  "qwen-code": { ccusage: "qwen", codeburn: "qwen" },
};

/** Returns the commands of the peers that support an agent; throws if installing fails. */
export function installPeers(folder) {
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  const names = Object.entries(PEERS).map(([name, version]) => {
    return `${PACKAGES[name] ?? name}@${version}`;
  });
  const node = `node-${process.platform}-${process.arch}`;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 13)) names.push(`${node}@${NODE}`);
  const run = spawnSync("npm", ["i", "--ignore-scripts", "--no-audit", ...names], { cwd: folder });
  if (run.status !== 0) throw new Error(`The peers could not be installed: ${String(run.stderr)}`);
  const modules = join(folder, "node_modules");
  const own = join(modules, node, "bin", "node");
  const program = join(modules, "codeburn", "dist", "cli.js");
  const codeburn = [existsSync(own) ? own : process.execPath, program, "report"];
  return (agent) => ({
    ccusage: [
      join(modules, ".bin", "ccusage"),
      NAMES[agent].ccusage,
      "monthly",
      "--json",
      "--offline",
    ],
    codeburn: [
      ...codeburn,
      "--format",
      "json",
      "--period",
      "all",
      "--provider",
      NAMES[agent].codeburn,
    ],
    ...(NAMES[agent].tokscale
      ? { tokscale: [process.execPath, TOKSCALE, modules, NAMES[agent].tokscale] }
      : {}),
  });
}

/** The total tokens in an answer of Pollux or a peer; undefined if there are none. */
export function totalIn({ code, text }) {
  const { totals } = code === 0 ? JSON.parse(text) : {};
  return totals?.tokens?.total ?? totals?.totalTokens;
}
