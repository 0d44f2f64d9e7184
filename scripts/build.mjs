// Builds dist/: the program, the library, their types, and the licence notices of bundled code.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { build } from "vite";
import { buildKernel } from "./build-kernel.mjs";
import { joinSpreads } from "./join-spreads.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
// Built in a temporary folder and moved, so that dist/ is always one complete build.
const aside = join(root, "node_modules", ".cache", `pollux-build-${process.pid}`);

await buildKernel();

/** Commander loads child_process eagerly, which only programs with external subcommands need. */
const lazyParser = {
  name: "lazy-parser",
  transform(code, id) {
    if (!/commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined;
    const eager = "const childProcess = require('node:child_process');";
    if (!code.includes(eager)) throw new Error("The parser of arguments has changed.");
    return code.replace(eager, "const childProcess = {};");
  },
};

/** The source files that are loaded together with these files, by their static imports. */
function loadedWith(...files) {
  const found = new Set(files.map((file) => join(root, "src", file)));
  for (const file of found) {
    const code = readFileSync(file, "utf8");
    const imports = code.matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+\.\w+)"/gm);
    for (const [, to] of imports) found.add(join(dirname(file), to));
  }
  return found;
}

const atOnce = loadedWith("cli/main.ts", "cli/commands/usage.ts", "library/library.ts");

/**
 * Code that most commands need goes into one file: resolving each file takes time. So does the
 * parser of arguments, so that this file does not require one that requires it.
 */
const isAtOnce = (id) => atOnce.has(id) || id.includes(`${sep}node_modules${sep}commander${sep}`);
const shared = { name: "shared", minShareCount: 1, test: isAtOnce };
/** Only needed by commands that change settings. */
const isRare = (id) => /settings-entr/.test(id);
/** Code that many commands load later, in one file to save loading time. */
const later = {
  name: "later",
  minShareCount: 4,
  test: (id) => id.startsWith(join(root, "src") + sep) && !atOnce.has(id) && !isRare(id),
};

const platform = { platform: "node", external: [/^node:/, "@photostructure/sqlite"] };
const written = {
  // Less to read at every start.
  comments: false,
  minify: { mangle: false, compress: false, codegen: true },
};

// The program and the library are CommonJS inside: Node loads it in less time, and code that was
// compiled can be cached on every version (src/cli/compile-cache.ts).
const chunkFolder = join(aside, "chunks");
const bundle = await rolldown({
  cwd: root,
  plugins: [lazyParser, joinSpreads],
  // Its CommonJS form loads its parts in a way that bundlers cannot follow.
  resolve: { alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" } },
  // Chunks are grouped by when they are needed, not by importer.
  preserveEntrySignatures: "allow-extension",
  checks: { ineffectiveDynamicImport: false },
  input: {
    start: "src/cli/start.ts",
    main: "src/cli/main.ts",
    library: "src/index.ts",
    thread: "src/library/threads/thread.ts",
  },
  ...platform,
});
const { output } = await bundle.write({
  ...written,
  dir: chunkFolder,
  format: "cjs",
  // The engine cannot cache code with `import()`.
  dynamicImportInCjs: false,
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  codeSplitting: { groups: [shared, later], includeDependenciesRecursively: false },
});
await bundle.close();

// The thread that reads ahead is one small file of its own: it has to start quickly.
await writeAlone("src/kernel/json/ahead/thread.ts", join(chunkFolder, "walk-thread.cjs"), "cjs");
// So is the program's first file, which loads the others only if it needs them.
await writeAlone("src/cli/pollux.ts", join(aside, "pollux.js"), "esm");

async function writeAlone(input, file, format) {
  const external = [...platform.external, "./chunks/start.cjs"];
  const plugins = [{ name: "start", resolveId: (id) => startChunk(id) }];
  const alone = await rolldown({ cwd: root, input, plugins, ...platform, external });
  await alone.write({ ...written, file, format, codeSplitting: false });
  await alone.close();
}

function startChunk(id) {
  return id === "./start.ts" ? { id: "./chunks/start.cjs", external: true } : undefined;
}

// Imports by name, for those who import the library.
const { exports: names } = output.find(({ name, isEntry }) => isEntry && name === "library");
writeFileSync(
  join(aside, "index.js"),
  `import library from "./chunks/library.cjs";\nexport const { ${names.join(", ")} } = library;\n`,
);

chmodSync(join(aside, "pollux.js"), 0o755);

const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const types = ["-p", "tsconfig.types.json", "--outDir", join(aside, "types")];
const run = spawnSync(process.execPath, [tsc, ...types], { cwd: root, stdio: "inherit" });
if (run.status !== 0) process.exit(run.status ?? 1);

const web = await build({
  configFile: join(root, "web", "vite.config.ts"),
  build: { outDir: join(aside, "web") },
});
const bundled = [...output, ...[web].flat().flatMap((part) => part.output)];
writeFileSync(join(aside, "THIRD-PARTY-NOTICES.txt"), notices(bundledPackages(bundled)));
replace(aside, join(root, "dist"));

/** Folders of the packages whose code was bundled. */
function bundledPackages(chunks) {
  const modules = chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const folders = modules.flatMap((id) => {
    const [, inside] = id.split(`${sep}node_modules${sep}`);
    if (inside === undefined) return [];
    const parts = inside.split(sep);
    return [join(root, "node_modules", ...parts.slice(0, inside.startsWith("@") ? 2 : 1))];
  });
  return [...new Set(folders)].toSorted((a, b) => (a < b ? -1 : 1));
}

function notices(folders) {
  const parts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const head = "This program contains code of the following packages.\n";
  return [head, ...parts].join(`\n${"-".repeat(72)}\n\n`);
}

function replace(from, to) {
  const old = `${from}-old`;
  mkdirSync(dirname(from), { recursive: true });
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}
