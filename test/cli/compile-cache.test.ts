import { join } from "node:path";
import { expect, it } from "vitest";
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
