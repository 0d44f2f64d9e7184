// Runs a program and measures time, CPU time and memory.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs a command to its end. Memory and CPU time of the process and its children are sampled every
 * few milliseconds while it runs; the last sample counts.
 */
export function run([program, ...args], env, cwd) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "ignore"] });
    const chunks = [];
    const used = { cpuSeconds: 0, peakMegabytes: 0 };
    const watch = setInterval(() => look(child.pid, used), 4);
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(watch);
      const seconds = (performance.now() - began) / 1000;
      resolve({ seconds, ...used, code, text: Buffer.concat(chunks).toString("utf8") });
    });
  });
}

/** Reads /proc on Linux; elsewhere both stay unknown. */
function look(pid, used) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(stat[at] ?? 0), 0);
    used.cpuSeconds = Math.max(used.cpuSeconds, ticks / 100);
    used.peakMegabytes = Math.max(used.peakMegabytes, peak);
    for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")) {
      if (child !== "") lookBelow(Number(child), used);
    }
  } catch {
    // It has ended, or there is no /proc.
  }
}

/** For a launcher that only starts another program, counts that program. */
function lookBelow(pid, used) {
  const below = { cpuSeconds: 0, peakMegabytes: 0 };
  look(pid, below);
  used.cpuSeconds = Math.max(used.cpuSeconds, below.cpuSeconds);
  used.peakMegabytes = Math.max(used.peakMegabytes, below.peakMegabytes);
}

/** The fastest of several runs, with the peak memory of all. */
export function best(runs) {
  const quickest = runs.toSorted((a, b) => a.seconds - b.seconds)[0];
  return {
    seconds: quickest.seconds,
    cpuSeconds: Math.min(...runs.map(({ cpuSeconds }) => cpuSeconds)),
    peakMegabytes: Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes)),
  };
}

/** The bytes of all files below a folder. */
export function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
