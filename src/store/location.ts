import { statSync } from "node:fs";
import { join, resolve } from "node:path";

/** What decides where the archive lies. */
export interface Where {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  platform: NodeJS.Platform;
}

const FILE = "archive.db";

/** The file that is asked for: itself, or the archive inside of the folder that is named. */
export function archiveFileOf(location: string): string {
  const path = resolve(location);
  return /[\\/]$/.test(location) || isFolder(path) ? join(path, FILE) : path;
}

/** `POLLUX_HOME`, else the folder where programs of this platform leave their data. */
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
  // The standard says that a relative path there is to be ignored.
  return join(shared?.startsWith("/") ? shared : join(homeDir, ".local", "share"), "pollux");
}

/** Whether something may lie at a path: also in a folder that is closed to this user. */
export function mayBeThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Opening it tells what is wrong.
    return true;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Nothing is there yet: it will be a file.
    return false;
  }
}

/** An address as it may be shown. */
export function withoutPassword(address: string): string {
  return address
    .replace(/^(\w+:\/\/[^:/@?]*):[^@]*@/, "$1@")
    .replace(/([?&])password=[^&]*(&?)/, (_, before: string, behind: string) => {
      return behind === "" ? "" : before;
    });
}
