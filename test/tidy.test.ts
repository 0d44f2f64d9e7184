import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../src/cli/commands/index.ts";
import { STATUSES } from "../src/core/rows/summary.ts";
import { sources } from "../src/sources/index.ts";
import { everyImport, moduleOf, syntax } from "./tidy/code.ts";
import { DOORS } from "./tidy/layers.ts";
import { files, filesIn, foldersIn, headings, stemsIn, textOf } from "./tidy/tree.ts";

const scripts = files.filter((path) => /^(src|web|test|scripts|bench)\/.*\.(tsx?|mjs)$/.test(path));
const checked = scripts.filter((path) => !path.startsWith("test/fixtures/"));

/**
 * Code outside `sources` names no source, neither in identifiers nor in strings. Texts of the doors
 * may name the program, its folder, its variables and models in exactly these spellings; comments
 * are not checked.
 */
describe("code outside sources names no source", () => {
  const names = sources.map(({ id }) => id.split("-")[0] ?? id);
  const named = new RegExp(names.join("|"), "i");
  const spoken = /Gemini CLI|~?\/?\.gemini\b|GEMINI_[A-Z_]+|\bgemini-\d[\w.-]*/g;

  test("in identifiers and strings", () => {
    const wrong = [...syntax].flatMap(([path, { identifiers, strings }]) => {
      const module = moduleOf(path);
      if (["core", "kernel", "sources"].includes(module)) return [];
      const said = DOORS.has(module) ? strings.map((text) => text.replace(spoken, "")) : strings;
      return [...identifiers, ...said]
        .filter((word) => named.test(word))
        .map((word) => `${path}: ${word.slice(0, 60)}`);
    });
    expect(wrong).toEqual([]);
  });

  test("in imports, except of the list of sources", () => {
    const inner = everyImport().filter(({ path, target = "" }) => {
      return moduleOf(path) !== "sources" && /^src\/sources\/[^/]+\//.test(target);
    });
    expect(inner).toEqual([]);
  });
});

describe("sizes and names", () => {
  test("no file has more than 300 lines, no comment more than 100 characters", () => {
    const long = checked.flatMap((path) => {
      const lines = textOf(path).trimEnd().split("\n");
      // The formatter wraps code; a longer line is a single string or pattern.
      const isWide = (line: string): boolean => line.length > 100 && /^\s*(?:\/[/*]|\*)/.test(line);
      const wide = lines.flatMap((line, at) => (isWide(line) ? [`${path}:${at + 1}`] : []));
      return lines.length > 300 ? [`${path}: ${lines.length} lines`, ...wide] : wide;
    });
    expect(long).toEqual([]);
  });

  test("no file or folder has a name like utils", () => {
    const words = "utils?|helpers?|common|misc|types?|managers?|engines?|services?|data";
    const drawer = new RegExp(`(^|/)(${words})(\\.[^/]*)?(/|$)`);
    // Files of commands have the names that users type.
    const named = checked.filter((path) => !path.startsWith("src/cli/commands/"));
    expect(named.filter((path) => drawer.test(path))).toEqual([]);
  });

  test("AGENTS.md and ARCHITECTURE.md stay short", () => {
    expect(textOf("AGENTS.md").trimEnd().split("\n").length).toBeLessThanOrEqual(80);
    expect(textOf("ARCHITECTURE.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });
});

/** Files of a folder that declare a plug, and those that its index.ts imports. */
function plugsOf(folder: string, plug: string): { declared: string[]; listed: string[] } {
  const inside = filesIn(folder).filter((path) => path.endsWith(".ts"));
  const declares = new RegExp(`^export const \\w+: (readonly )?${plug}\\b(?!\\[)`, "m");
  const declared = inside.filter((path) => declares.test(textOf(path)));
  const list = textOf(`${folder}/index.ts`);
  const imported = [...list.matchAll(/import \{[^}]*\} from "\.\/([^"]+)"/g)];
  const listed = imported.map((match) => `${folder}/${match[1]}`);
  return { declared, listed: listed.filter((path) => declared.includes(path)) };
}

describe("lists match folders", () => {
  test("every source folder is in the list of sources", () => {
    const agents = foldersIn("src/sources").filter((name) => name !== "decoding");
    expect(sources.map(({ id }) => id).toSorted(byName)).toEqual(agents.toSorted(byName));
  });

  test("every source has its parts in files of the same names", () => {
    const parts = ["index", "roots", "find", "keys", "content", "read", "tools", "formats/usage"];
    const missing = sources.flatMap(({ id, abilities }) => {
      // Some abilities are a few lines in index.ts, or shared by several agents.
      const named = Object.keys(abilities).filter((name) =>
        /^(retention|handover|native)$/.test(name),
      );
      const paths = [...parts, "interpret/interpret", ...named].map((part) => `${id}/${part}.ts`);
      return paths.filter((path) => !files.includes(`src/sources/${path}`));
    });
    expect(missing).toEqual([]);
  });

  test("every format is in the list of formats", () => {
    const { declared, listed } = plugsOf("src/sources/gemini-cli/formats", "Format");
    expect(declared.length).toBeGreaterThan(0);
    expect(listed.toSorted(byName)).toEqual(declared.toSorted(byName));
  });

  test("commands and files of src/cli/commands match", () => {
    const names = commands.map(({ name }) => name);
    const stems = stemsIn("src/cli/commands").filter((name) => name !== "index");
    expect(names.toSorted(byName)).toEqual(stems.toSorted(byName));
  });

  test("every export is in the list of exports", ({ skip }) => {
    if (!files.includes("src/exports/index.ts")) skip("there are no exports yet");
    const { declared, listed } = plugsOf("src/exports", "Export");
    expect(declared.length).toBeGreaterThan(0);
    expect(listed.toSorted(byName)).toEqual(declared.toSorted(byName));
  });
});

function undocumented(
  names: readonly string[],
  isHeading: (line: string, name: string) => boolean,
) {
  const lines = headings();
  return names.filter((name) => !lines.some((line) => isHeading(line, name)));
}

describe("documents are complete", () => {
  test("every command has a section", () => {
    const names = commands.map(({ name }) => name);
    expect(undocumented(names, (line, name) => line.includes(`pollux ${name}`))).toEqual([]);
  });

  test("every export has a section", ({ skip }) => {
    if (!files.includes("src/exports/index.ts")) skip("there are no exports yet");
    const names = plugsOf("src/exports", "Export").declared.flatMap(
      (path) => /^ {2}name: "([^"]+)"/m.exec(textOf(path))?.[1] ?? [],
    );
    expect(undocumented(names, (line, name) => line.includes(`\`${name}\``))).toEqual([]);
  });

  test("every format has a section in the page of its source", () => {
    const missing = sources.flatMap(({ id, formats }) => {
      expect(formats.length).toBeGreaterThan(0);
      expect(files, `the page of ${id}`).toContain(`docs/formats/${id}.md`);
      const lines = textOf(`docs/formats/${id}.md`)
        .split("\n")
        .filter((line) => line.startsWith("#"));
      return formats
        .filter((format) => !lines.some((line) => line.includes(`\`${format}\``)))
        .map((format) => `${id}: ${format}`);
    });
    expect(missing).toEqual([]);
  });

  test("every status and every diagnostic is documented", () => {
    const page = textOf("docs/guide/status.md");
    expect(STATUSES.filter((status) => !page.includes(`\`${status}\``))).toEqual([]);
    const codes = /export type DiagnosticCode =([^;]+);/.exec(
      textOf("src/core/files/diagnostic.ts"),
    );
    const names = [...(codes?.[1] ?? "").matchAll(/"([^"]+)"/g)].flatMap((match) => match[1] ?? []);
    const doctor = textOf("docs/guide/doctor.md");
    expect(names.filter((name) => !doctor.includes(`\`${name}\``))).toEqual([]);
  });

  test("comments and pages name source files that exist", () => {
    const names = new Set(files.map((path) => posix.basename(path)));
    const texts = files.filter((path) =>
      /^(src|web)\/.*\.tsx?$|^(docs\/|[A-Z]+\.).*md$/.test(path),
    );
    const wrong = texts.flatMap((path) => {
      const lines = textOf(path).split("\n");
      const read = path.endsWith(".md")
        ? lines
        : lines.filter((line) => /^\s*(\/?\*|\/\/)/.test(line));
      const named = read.flatMap((line) => [...line.matchAll(/`[\w./-]*?([\w.-]+\.tsx?)`/g)]);
      return named.flatMap(([, name = ""]) => (names.has(name) ? [] : [`${path}: ${name}`]));
    });
    expect(wrong).toEqual([]);
  });

  test("links between pages are valid", () => {
    const pages = files.filter((path) => path.endsWith(".md") && !path.startsWith("test/"));
    const broken = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].flatMap((match) => {
        const target = posix.join(posix.dirname(page), match[1] ?? "");
        const isThere = files.some((path) => path === target || path.startsWith(`${target}/`));
        return isThere ? [] : [`${page} → ${match[1]}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});

describe("the package", () => {
  const texts = files.filter((path) => /\.(ts|tsx|mjs|js|json|md|sh|yml|yaml|story)$/.test(path));

  test("no file names local folders of a machine or a package host", () => {
    // Written so that the patterns do not match this file.
    // One program names subagents `/root/…`, which is not a folder.
    const machine = /(?:^|[\s"'`(=:])\/(?:work\/[a-z]|root\/\.)/m;
    const host = /\bregistry[.](?:npmjs|yarnpkg|npmmirror)|\b(?:artifactory|verdaccio)\b[.:/]/i;
    const own = texts.filter((path) => !path.startsWith("test/fixtures/"));
    const wrong = own.filter((path) => machine.test(textOf(path)) || host.test(textOf(path)));
    expect(wrong).toEqual([]);
  });

  test("every dependency is pinned to one version", () => {
    const blocks = [...textOf("package.json").matchAll(/"(?:devD|d)ependencies": \{([^}]*)\}/g)];
    const pins = blocks.flatMap((block) => [...(block[1] ?? "").matchAll(/": "([^"]+)"/g)]);
    const versions = pins.map((pin) => pin[1] ?? "");
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test("no package needs a newer Node than the oldest that is supported", () => {
    const lock = JSON.parse(textOf("package-lock.json")) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    const oldest = /^>=(\d+)\.(\d+)$/.exec(lock.packages[""]?.engines?.node ?? "");
    const [major, minor] = [Number(oldest?.[1]), Number(oldest?.[2])];
    const allows = (range: string): boolean => {
      const from = /^(>=|\^)? ?(\d+)(?:\.(\d+))?/.exec(range.trim());
      const first = [Number(from?.[2]), Number(from?.[3] ?? 0)] as const;
      if (first[0] === major) return first[1] <= minor;
      return from?.[1] === ">=" && first[0] < major;
    };
    const wrong = Object.entries(lock.packages).filter(([, { engines }]) => {
      return engines?.node !== undefined && !engines.node.split("||").some(allows);
    });
    expect(wrong.map(([name, { engines }]) => `${name}: ${engines?.node}`)).toEqual([]);
  });

  test("the lock file has no download addresses", () => {
    expect(textOf("package-lock.json")).not.toContain('"resolved"');
  });
});

function byName(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
