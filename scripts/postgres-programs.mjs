import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const DEBIAN = "/usr/lib/postgresql";

/** Where `obtain-postgres.mjs` puts programs that it gets from npm. */
export const FROM_NPM = join("node_modules", ".cache", "postgres");

/**
 * Whether tests can start a server of their own: it listens on a socket in a folder and belongs to
 * whoever runs the tests. Windows has neither for an administrator, which its runners on CI are.
 */
export const STARTS_HERE = process.platform !== "win32";

/** Folders with the programs of a server: Debian's (the newest first), the PATH's, npm's. */
export function postgresPrograms() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const folders = [
    ...versions.toSorted((a, b) => Number(b) - Number(a)).map((name) => join(DEBIAN, name, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
    join(FROM_NPM, "native", "bin"),
  ];
  return folders.filter((folder) => existsSync(join(folder, "initdb")));
}
