import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

/** Returns the file that a shell would run under this name; undefined if there is none. */
export function findOnPath(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const isWindows = platform === "win32";
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(isWindows ? ";" : ":");
  const endings = isWindows ? (env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  return folders
    .filter((folder) => folder !== "")
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending.toLowerCase())))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Missing or not executable: another folder may have it.
    return false;
  }
}
