import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { projectFolder, slugOf } from "../../../src/sources/gemini-cli/restore/place.ts";

const homes: string[] = [];
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true, force: true })));

function rootWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "pollux-place-"));
  homes.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function directory(path: string): { path: string; hash: string } {
  return { path, hash: hash("sha256", path, "hex") };
}

const LINUX = { minor: 61, platform: "linux" } as const;
const WINDOWS = { minor: 61, platform: "win32" } as const;
const ADA = directory("/home/ada/projects/ledger");

describe("the project folder of the program", () => {
  test("in an empty home gets a marker and a registry", () => {
    const root = rootWith({});
    expect(projectFolder(root, ADA, LINUX)).toEqual({
      name: "ledger",
      claims: [
        { path: join(root, "tmp/ledger/.project_root"), text: ADA.path },
        {
          path: join(root, "projects.json"),
          text: JSON.stringify({ projects: { [ADA.path]: "ledger" } }, null, 2),
        },
      ],
    });
  });

  test("is taken from the registry, whose other content stays", () => {
    const registry = { projects: { [ADA.path]: "books", "/x": "ledger" }, future: 1 };
    const files = {
      "projects.json": JSON.stringify(registry),
      "tmp/books/.project_root": ADA.path,
    };
    expect(projectFolder(rootWith(files), ADA, LINUX)).toEqual({ name: "books", claims: [] });
    const other = projectFolder(rootWith(files), directory("/y/ledger"), LINUX);
    expect(other.name).toBe("ledger-1");
    expect(JSON.parse(other.claims[1]?.text ?? "")).toEqual({
      ...registry,
      projects: { ...registry.projects, "/y/ledger": "ledger-1" },
    });
  });

  test("is taken from a marker if there is no registry", () => {
    const root = rootWith({ "tmp/ledger-7/.project_root": ADA.path, "tmp/ledger/x": "" });
    const { name, claims } = projectFolder(root, ADA, LINUX);
    expect(name).toBe("ledger-7");
    expect(claims.map(({ path }) => path)).toEqual([join(root, "projects.json")]);
  });

  test("is not a registered one whose marker names another project", () => {
    const projects = { projects: { [ADA.path]: "ledger" } };
    for (const marker of ["tmp/ledger/.project_root", "history/ledger/.project_root"]) {
      const root = rootWith({ "projects.json": JSON.stringify(projects), [marker]: "/other" });
      const { name, claims } = projectFolder(root, ADA, LINUX);
      expect(name).toBe("ledger-1");
      expect(claims.map(({ path }) => path)).toEqual([
        join(root, "tmp/ledger-1/.project_root"),
        join(root, "projects.json"),
      ]);
    }
  });

  test("may be one without an owner, but not one with a registered name", () => {
    const root = rootWith({ "tmp/ledger/chats/x": "" });
    expect(projectFolder(root, ADA, LINUX).name).toBe("ledger");
    const files = { "projects.json": JSON.stringify({ projects: { "/x": "ledger" } }) };
    expect(projectFolder(rootWith(files), ADA, LINUX).name).toBe("ledger-1");
  });

  test("may be taken from a marker in the history", () => {
    const root = rootWith({ "history/books/.project_root": ADA.path });
    expect(projectFolder(root, ADA, LINUX).name).toBe("books");
  });

  test("leaves an unreadable registry alone", () => {
    const { claims } = projectFolder(rootWith({ "projects.json": "{half" }), ADA, LINUX);
    expect(claims.map(({ path }) => path.split("/").at(-1))).toEqual([".project_root"]);
  });

  test.each(["../../escape", "a/b", "..", ""])("ignores the registered name %j", (slug) => {
    const files = { "projects.json": JSON.stringify({ projects: { [ADA.path]: slug } }) };
    expect(projectFolder(rootWith(files), ADA, LINUX).name).toBe("ledger");
  });

  test("up to 0.28 is named by the hash, without marker and registry", () => {
    const by = { minor: 28, platform: "linux" } as const;
    expect(projectFolder(rootWith({}), ADA, by)).toEqual({ name: ADA.hash, claims: [] });
  });
});

describe("on Windows", () => {
  const path = String.raw`C:\Users\Ada\My Ledger`;
  const key = path.toLowerCase();

  test("registry and marker have the path in lower case", () => {
    const root = rootWith({});
    const { name, claims } = projectFolder(root, directory(path), WINDOWS);
    expect(name).toBe("my-ledger");
    expect(claims.map(({ text }) => text)).toEqual([
      key,
      JSON.stringify({ projects: { [key]: "my-ledger" } }, null, 2),
    ]);
  });

  test("a registered path is found in any case", () => {
    const files = {
      "projects.json": JSON.stringify({ projects: { [key]: "books" } }),
      "tmp/books/.project_root": key,
    };
    expect(projectFolder(rootWith(files), directory(path), WINDOWS)).toEqual({
      name: "books",
      claims: [],
    });
  });

  test("the hash is computed from the original spelling", () => {
    const by = { minor: 20, platform: "win32" } as const;
    expect(projectFolder(rootWith({}), directory(path), by).name).toBe(hash("sha256", path, "hex"));
  });
});

test.each([
  ["/home/ada/My  Ledger!", "my-ledger"],
  ["/", "project"],
  ["/home/ada/…", "project"],
  [String.raw`C:\Work\Ledger.Net`, "ledger-net"],
])("the slug of %j is %j", (path, slug) => {
  expect(slugOf(path)).toBe(slug);
});
