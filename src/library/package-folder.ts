import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PolluxError } from "../core/error.ts";

/** The folder of this package, found from its sources or from any chunk of its build. */
export function packageFolder(): string {
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
