import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const DEBIAN = "/usr/lib/postgresql";

/** Where `obtain-postgres.mjs` puts programs that it gets from npm. */
export const FROM_NPM = join("node_modules", ".cache", "postgres");

/** Folders with the programs of a server: Debian's (the newest first), the PATH's, npm's. */
export function postgresPrograms() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const folders = [
    ...versions.toSorted((a, b) => Number(b) - Number(a)).map((name) => join(DEBIAN, name, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
    join(FROM_NPM, "native", "bin"),
  ];
  const program = process.platform === "win32" ? "initdb.exe" : "initdb";
  return folders.filter((folder) => existsSync(join(folder, program)));
}
