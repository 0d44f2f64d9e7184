import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { readForeignText } from "../kernel/open-file.ts";
import { usualArchive } from "../store/location.ts";

const FILE = "server.key";
const KEY = /^[\w-]{32}$/;

/**
 * The key of this machine's server, so that bookmarks survive its restarts. It lies beside the
 * usual archive, closed to others. Nothing when it cannot be kept there: then a key lasts as long
 * as its server.
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

/** One that others could read is no secret any more. */
function knownKey(path: string): string | undefined {
  try {
    const isOpen = process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
    const key = readForeignText(path).trim();
    return !isOpen && KEY.test(key) ? key : undefined;
  } catch {
    // There is none yet, or it cannot be read: another is made.
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
    // A folder that cannot be written to is no reason not to serve.
    if (existsSync(aside)) rmSync(aside);
    return undefined;
  }
}
