import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { start } from "../store/program.ts";

/** The built program, as a team's server. */
export interface ServingProgram {
  url: string;
  child: ChildProcess;
  /** Stops the program; returns its stderr. */
  stop: () => Promise<string>;
}

export async function programServing(
  dsn: string,
  { env = {}, port = 0 }: { env?: Record<string, string>; port?: number } = {},
): Promise<ServingProgram> {
  const args = ["serve", "--port", String(port), "--json"];
  const child = start(args, { ...env, POLLUX_STORE: dsn });
  let complaints = "";
  child.stderr?.on("data", (data: Buffer) => void (complaints += data.toString()));
  const ended = new Promise<void>((done) => void child.once("exit", () => done()));
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout)
      createInterface(child.stdout).once("line", (line) => {
        resolve((JSON.parse(line) as { url: string }).url.replace(/\/$/, ""));
      });
    child.once("exit", () => reject(new Error(`The server ended: ${complaints}`)));
  });
  const stop = async (): Promise<string> => {
    child.kill("SIGTERM");
    await ended;
    return complaints;
  };
  return { url, child, stop };
}
