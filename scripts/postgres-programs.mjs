import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const DEBIAN = "/usr/lib/postgresql";

/** Where `obtain-postgres.mjs` puts programs from npm. */
export const FROM_NPM = join("node_modules", ".cache", "postgres");

/**
 * Whether tests can start their own server: it listens on a socket in a folder and runs as the
 * current user. On Windows this is impossible for an administrator, as on CI runners.
 */
export const STARTS_HERE = process.platform !== "win32";

/** Folders with the server's programs: Debian's (newest first), the PATH's, npm's. */
export function postgresPrograms() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const folders = [
    ...versions.toSorted((a, b) => Number(b) - Number(a)).map((name) => join(DEBIAN, name, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
    join(FROM_NPM, "native", "bin"),
  ];
  return folders.filter((folder) => existsSync(join(folder, "initdb")));
}
