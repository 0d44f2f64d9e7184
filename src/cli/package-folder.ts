import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PolluxError } from "../core/error.ts";
import { packageFolder } from "../library/package-folder.ts";

/** The bundled demo sessions. */
export function demoHome(): string {
  const home = join(packageFolder(), "demo", "home");
  if (existsSync(home)) return home;
  throw new PolluxError("no-demo", "The demo sessions are not part of this installation.");
}

/** The demo's own date, so that its sessions are always recent. */
export function demoNow(): Date {
  const demo = JSON.parse(readFileSync(join(packageFolder(), "demo", "demo.json"), "utf8")) as {
    now: string;
  };
  return new Date(demo.now);
}

/** The built web app. */
export function webFolder(): string {
  return join(packageFolder(), "dist", "web");
}
