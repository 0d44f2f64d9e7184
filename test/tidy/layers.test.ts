import { describe, expect, test } from "vitest";
import { everyImport, moduleOf, offenders, syntax } from "./code.ts";
import { ALLOWED, DOORS } from "./layers.ts";
import { files, textOf } from "./tree.ts";

const DRIVERS = /^(@photostructure\/sqlite|node:sqlite|better-sqlite3|pg|pg-copy-streams|kysely)$/;
const SQL =
  /^\s*(select|insert into|delete from|create (table|index|virtual)|pragma|alter table)\s/i;

/** A command that starts another door may import it (docs/decisions/0007). */
function startsDoor(path: string, module: string): boolean {
  const command = { server: "serve", mcp: "mcp", tui: "home" }[module];
  return path === `src/cli/commands/${command}.ts`;
}

/** Imports of other modules that need permission. */
function layerImports(): { path: string; target: string; from: string; to: string }[] {
  return everyImport().flatMap(({ path, target, isTypeOnly }) => {
    if (target === undefined || !/^(src|web)\//.test(target)) return [];
    const [from, to] = [moduleOf(path), moduleOf(target)];
    // Both terminal interfaces use the same printing code.
    const isPrint = from === "tui" && target.startsWith("src/cli/print/");
    if (from === to || startsDoor(path, to) || isPrint) return [];
    const isFree = isTypeOnly && (DOORS.has(from) || from === "web");
    return isFree ? [] : [{ path, target, from, to }];
  });
}

describe("the layers", () => {
  test("every file of src is in a known module", () => {
    expect(offenders((_, module) => ALLOWED[module] === undefined)).toEqual([]);
  });

  test("imports follow the allow-list", () => {
    const wrong = layerImports().flatMap(({ path, target, from, to }) => {
      return ALLOWED[from]?.includes(to) ? [] : [`${path} → ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  test("the allow-list has no import that is not used", () => {
    const used = new Set(layerImports().map(({ from, to }) => `${from} → ${to}`));
    const allowed = Object.entries(ALLOWED).flatMap(([from, modules]) =>
      modules.map((to) => `${from} → ${to}`),
    );
    expect(allowed.filter((edge) => !used.has(edge))).toEqual([]);
  });

  test("the browser imports only types, and only from the library", () => {
    const taken = everyImport().filter(
      ({ path, target }) => path.startsWith("web/") && target?.startsWith("src/"),
    );
    const wrong = taken.filter(({ isTypeOnly, target = "" }) => {
      return !isTypeOnly || moduleOf(target) !== "library";
    });
    expect(wrong).toEqual([]);
  });

  test("only the stores use database drivers and SQL", () => {
    const drivers = everyImport().filter(({ from }) => DRIVERS.test(from));
    const outside = drivers.filter(({ path }) => !/^src\/store\/[^/]+\//.test(path));
    expect(outside).toEqual([]);
    const spoken = offenders((path, module) => {
      const strings = syntax.get(path)?.strings ?? [];
      return module !== "store" && strings.some((text) => SQL.test(text) || DRIVERS.test(text));
    });
    expect(spoken).toEqual([]);
    const written = files.filter((path) => path.endsWith(".sql"));
    expect(written.filter((path) => !path.startsWith("src/store/"))).toEqual([]);
  });

  test("only cli uses process.exit and console", () => {
    const exits = offenders((path, module) => {
      const members = syntax.get(path)?.members ?? [];
      return module !== "cli" && members.some((name) => /^(process\.exit|console\..*)$/.test(name));
    });
    expect(exits).toEqual([]);
  });

  test("kernel, sources and exports spread no lists into calls, which could exceed the argument limit", () => {
    const spread = /\.(?:push|unshift)\(\.\.\.|Math\.(?:min|max)\((?:[^()]*, )?\.\.\./;
    const modules = new Set(["kernel", "sources", "exports"]);
    expect(offenders((path, module) => modules.has(module) && spread.test(textOf(path)))).toEqual(
      [],
    );
  });

  test("only the doors and library/clock.ts use the system clock", () => {
    const looks = offenders((path, module) => {
      const { members = [], bareNews = [] } = syntax.get(path) ?? {};
      return !DOORS.has(module) && (members.includes("Date.now") || bareNews.includes("Date"));
    });
    expect(looks).toEqual([expect.stringContaining("library/clock.ts")]);
  });
});
