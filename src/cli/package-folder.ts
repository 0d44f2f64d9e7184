import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PolluxError } from "../core/error.ts";

/** The folder of this package, found from its sources or from any chunk of its build. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new PolluxError(
        "broken-install",
        "Files of the Pollux package are missing. Install it again.",
      );
    folder = parent;
  }
  return folder;
}

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
