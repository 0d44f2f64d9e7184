import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CachedScripts } from "../../src/cli/cached-scripts.ts";
import { cacheFolder } from "../../src/cli/compile-cache.ts";

it("puts the compile cache into the platform's cache folder", () => {
  const home = join("/home", "ada");
  expect(cacheFolder("linux", {}, home)).toBe(join(home, ".cache", "pollux"));
  expect(cacheFolder("linux", { XDG_CACHE_HOME: "/caches" }, home)).toBe(join("/caches", "pollux"));
  expect(cacheFolder("linux", { XDG_CACHE_HOME: "here" }, home)).toBe(
    join(home, ".cache", "pollux"),
  );
  expect(cacheFolder("darwin", {}, home)).toBe(join(home, "Library", "Caches", "Pollux"));
  const local = join("C:", "Local");
  expect(cacheFolder("win32", { LOCALAPPDATA: local }, home)).toBe(join(local, "Pollux", "Cache"));
  expect(cacheFolder("win32", {}, home)).toBe(join(home, "AppData", "Local", "Pollux", "Cache"));
});

it("loads scripts that require one another, each once, and keeps their compiled code", () => {
  const folder = mkdtempSync(join(tmpdir(), "pollux-scripts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [main, other] = [join(folder, "main.cjs"), join(folder, "other.cjs")];
  const cache = join(folder, "cache");
  writeFileSync(
    main,
    'exports.path = require("node:path"); exports.early = 1; exports.other = require("./other.cjs");',
  );
  writeFileSync(other, 'exports.main = require("./main.cjs"); exports.seen = exports.main.early;');
  const load = (): { loaded: object; write: () => void } => {
    const before = new Set(process.listeners("exit"));
    const loaded = new CachedScripts(cache).load(main);
    const [write] = process.listeners("exit").filter((listener) => !before.has(listener));
    if (!write) throw new Error("Nothing is to be written at the end.");
    process.off("exit", write);
    return { loaded, write: () => write(0) };
  };
  const expected = { path: { join }, early: 1, other: { seen: 1 } };
  const first = load();
  expect(first.loaded).toMatchObject(expected);
  first.write();
  expect(readdirSync(cache).toSorted()).toEqual(["main.cjs", "other.cjs"]);
  expect(load().loaded).toMatchObject(expected);
  // The engine would use the compiled code of any source of the same length.
  writeFileSync(other, 'exports.main = require("./main.cjs"); exports.seen = exports.main.oddly;');
  expect(load().loaded).toMatchObject({ other: { seen: undefined } });
  // That of files no longer loaded is removed.
  writeFileSync(main, "exports.early = 2;");
  const changed = load();
  expect(changed.loaded).toEqual({ early: 2 });
  changed.write();
  expect(readdirSync(cache)).toEqual(["main.cjs"]);
});
