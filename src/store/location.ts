import { statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Inputs that determine the path of the archive. */
export interface Where {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  platform: NodeJS.Platform;
}

const FILE = "archive.db";

/** The path of the archive: `location` itself, or `archive.db` inside it if it is a folder. */
export function archiveFileOf(location: string): string {
  const path = resolve(location);
  return /[\\/]$/.test(location) || isFolder(path) ? join(path, FILE) : path;
}

/** The default archive: in `POLLUX_HOME`, else in the platform's folder for application data. */
export function usualArchive(where: Where): string {
  return join(dataFolder(where), FILE);
}

function dataFolder({ env, homeDir, platform }: Where): string {
  const own = env["POLLUX_HOME"];
  if (own) return resolve(own);
  if (platform === "darwin") return join(homeDir, "Library", "Application Support", "Pollux");
  if (platform === "win32") {
    return join(env["LOCALAPPDATA"] || join(homeDir, "AppData", "Local"), "Pollux");
  }
  const shared = env["XDG_DATA_HOME"];
  // The XDG standard says to ignore a relative path.
  return join(shared?.startsWith("/") ? shared : join(homeDir, ".local", "share"), "pollux");
}

/**
 * Returns true if there is something at the path other than an empty file (a full disk leaves one),
 * or if its folder is not accessible to this user.
 */
export function mayExist(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // Pipes and devices have no size; opening reports them.
    return found !== undefined && (!found.isFile() || found.size > 0);
  } catch {
    // Opening the file reports the actual error.
    return true;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // It does not exist yet and will be created as a file.
    return false;
  }
}

/** Removes the password from a database address, for display. */
export function withoutPassword(address: string): string {
  return address
    .replace(/^(\w+:\/\/[^:/@?]*):[^@]*@/, "$1@")
    .replace(/([?&])password=[^&]*(&?)/, (_, before: string, behind: string) => {
      return behind === "" ? "" : before;
    });
}
