import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

type Require = (id: string) => unknown;
type Body = (exports: object, require: Require, ...rest: unknown[]) => void;

/**
 * A cached file begins with the checksum of the source and of what follows: the engine would crash
 * on damage, and takes any source of the same length for the same.
 */
const CHECKSUM_BYTES = 4;

/** A script, and the checksum of its source. */
interface Compiled {
  script: Script;
  sourceSum: number;
}

/**
 * Loads CommonJS files of the build with the engine's code cache: Node 20 has no compile cache.
 * Remove this with Node 20.
 *
 * The cache is written when the process ends, with the functions that were compiled until then. The
 * engine rejects what another version of it wrote.
 */
export class CachedScripts {
  readonly #folder: string;
  readonly #modules = new Map<string, { exports: object }>();
  readonly #scripts = new Map<string, Compiled>();
  #isComplete = true;

  constructor(folder: string) {
    this.#folder = folder;
  }

  load(path: string): object {
    process.once("exit", (code) => {
      // Not for mistakes: each mistyped command would get a cache.
      if (code === 0 && !this.#isComplete) this.#write();
    });
    return this.#load(path, createRequire(path));
  }

  #load(path: string, requireOther: Require): object {
    const known = this.#modules.get(path);
    if (known) return known.exports;
    const loaded = { exports: {} };
    this.#modules.set(path, loaded);
    const folder = dirname(path);
    const load: Require = (id) => {
      return id.startsWith("./") ? this.#load(join(folder, id), requireOther) : requireOther(id);
    };
    const body = this.#compile(path).runInThisContext() as Body;
    body(loaded.exports, load, loaded, path, folder);
    return loaded.exports;
  }

  #compile(path: string): Script {
    const name = basename(path);
    const source = readFileSync(path);
    const sourceSum = crc32(source);
    const cachedData = this.#read(name, sourceSum);
    const code = `(function (exports, require, module, __filename, __dirname) { ${source.toString()}\n})`;
    const script = new Script(code, { filename: path, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected === true) this.#isComplete = false;
    this.#scripts.set(name, { script, sourceSum });
    return script;
  }

  #read(name: string, sourceSum: number): Buffer | undefined {
    try {
      const bytes = readFileSync(join(this.#folder, name));
      const cached = bytes.subarray(CHECKSUM_BYTES);
      return bytes.readUInt32LE() === crc32(cached, sourceSum) ? cached : undefined;
    } catch {
      // Not cached yet.
      return undefined;
    }
  }

  /** Files of other builds are removed. */
  #write(): void {
    try {
      mkdirSync(this.#folder, { recursive: true });
      for (const [name, { script, sourceSum }] of this.#scripts) {
        const path = join(this.#folder, name);
        const aside = `${path}.${process.pid}`;
        const cached = script.createCachedData();
        const checksum = Buffer.alloc(CHECKSUM_BYTES);
        checksum.writeUInt32LE(crc32(cached, sourceSum));
        writeFileSync(aside, Buffer.concat([checksum, cached]));
        renameSync(aside, path);
      }
      for (const name of readdirSync(this.#folder)) {
        if (!this.#scripts.has(name)) rmSync(join(this.#folder, name));
      }
    } catch {
      // A cache that cannot be written only costs time.
    }
  }
}
