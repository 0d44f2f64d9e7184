import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findOnPath } from "../kernel/on-path.ts";
import { readForeignText } from "../kernel/open-file.ts";
import type { Environment, HandoverAbility } from "../sources/source.ts";

/** The installed program of an agent. */
export interface InstalledProgram {
  path: string;
  /** Absent if neither its package nor its path has a version. */
  version?: string;
}

/**
 * Finds the program that a shell would start. It is not run: that could already change its folder.
 */
export function installedProgram(
  { command, packageName }: HandoverAbility["program"],
  { env, platform }: Pick<Environment, "env" | "platform">,
): InstalledProgram | undefined {
  const path = findOnPath(command, env, platform);
  if (path === undefined) return undefined;
  const real = realpathSync(path);
  const packages = [...foldersAbove(real), join(dirname(path), "node_modules", packageName)];
  const [packed] = packages.flatMap((folder) => versionIn(folder, packageName) ?? []);
  const version = packed ?? versionOfPlace(real);
  return { path, ...(version === undefined ? {} : { version }) };
}

/** Returns true for `2.0.77` and `2.1`; false if `version` is not a version, such as `latest`. */
export function isOlder(version: string, than: string): boolean {
  const own = numbersOf(version);
  if (own.length === 0) return false;
  for (const [at, number] of numbersOf(than).entries()) {
    const difference = (own[at] ?? 0) - number;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  const [, numbers] = /^v?(\d+(?:\.\d+)*)/.exec(version) ?? [];
  return numbers === undefined ? [] : numbers.split(".").map(Number);
}

/** How many parent folders of the program are searched for its package. */
const HIGHEST = 5;

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folders.length < HIGHEST; folder = dirname(folder)) {
    folders.push(folder);
  }
  return folders;
}

function versionIn(folder: string, packageName: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readForeignText(join(folder, "package.json")));
    const { name, version } = manifest as { name?: unknown; version?: unknown };
    return name === packageName && typeof version === "string" ? version : undefined;
  } catch {
    // There is no readable package.json.
    return undefined;
  }
}

/** `~/.local/share/claude/versions/2.1.325`, `/opt/homebrew/Cellar/codex/0.166.0/bin/codex` */
function versionOfPlace(path: string): string | undefined {
  return /[\\/]v?(\d+\.\d+\.\d+)(?=[\\/]|$)/.exec(path)?.[1];
}
