import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** `npm test` builds first; a single test file may run before any build. */
export const program: string = fileURLToPath(new URL("../../dist/pollux.js", import.meta.url));
export const isBuilt: boolean = existsSync(program);

/** Starts the built program in its own process. */
export function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const inherited = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
  return spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...inherited, ...env },
  });
}

export interface Ended {
  code: number | null;
  signal: string | null;
  out: string;
  err: string;
}

export function ended(child: ChildProcess): Promise<Ended> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (data: Buffer) => void (out += data.toString()));
  child.stderr?.on("data", (data: Buffer) => void (err += data.toString()));
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}
