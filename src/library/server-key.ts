import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { readForeignText } from "../kernel/open-file.ts";
import { usualArchive } from "../store/location.ts";

const FILE = "server.key";
const KEY = /^[\w-]{32}$/;

/**
 * The access key of this machine's server, stored so that bookmarks survive restarts. It is next to
 * the default archive, readable by the owner only. Undefined if it cannot be stored; the key then
 * lasts as long as the server.
 */
export function serverKey(
  env: Readonly<Record<string, string | undefined>>,
  which: "same" | "new" = "same",
): string | undefined {
  const where = { env, homeDir: homedir(), platform: process.platform };
  const path = join(dirname(usualArchive(where)), FILE);
  const known = which === "same" ? knownKey(path) : undefined;
  return known ?? newKey(path);
}

/** Ignores a key that other users could read. */
function knownKey(path: string): string | undefined {
  try {
    const isOpen = process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
    const key = readForeignText(path).trim();
    return !isOpen && KEY.test(key) ? key : undefined;
  } catch {
    // It does not exist or cannot be read, so a new one is made.
    return undefined;
  }
}

function newKey(path: string): string | undefined {
  const key = randomBytes(24).toString("base64url");
  const aside = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(aside, `${key}\n`, { mode: 0o600, flag: "wx" });
    renameSync(aside, path);
    return key;
  } catch {
    // Serving works without a stored key.
    if (existsSync(aside)) rmSync(aside);
    return undefined;
  }
}
