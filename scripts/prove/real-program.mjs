// Starts real agents against scripted APIs; shared by the proofs.
//
// A tool is a folder with `run.sh VERSION SCENARIO OUT`, which starts the program of that version
// on a seeded home, in its own namespaces, and `scenarios.mjs`, which exports `scenarios`.
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/** A copy of a tool with one more scenario. */
export function toolWith(tool, folder, scenario) {
  rmSync(folder, { recursive: true, force: true });
  cpSync(tool, folder, { recursive: true, mode: 0 });
  spawnSync("chmod", ["-R", "u+w", folder]);
  appendFileSync(join(folder, "scenarios.mjs"), scenario);
  return folder;
}

/** Plays a scenario; returns the tool's findings. */
export function play(tool, { version, scenario, out, env = {} }) {
  rmSync(join(out, version), { recursive: true, force: true });
  const run = spawnSync(join(tool, "run.sh"), [version, scenario, out], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  const file = join(out, version, scenario, "truth.json");
  if (!existsSync(file)) throw new Error(`run.sh ended with ${run.status}: ${run.stderr}`);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Runs the built program and parses its JSON output; undefined if it fails. */
export function polluxIn(dist) {
  return (args) => {
    const run = spawnSync(process.execPath, [join(resolve(dist), "pollux.js"), ...args], {
      encoding: "utf8",
    });
    return run.status === 0 ? JSON.parse(run.stdout) : undefined;
  };
}
