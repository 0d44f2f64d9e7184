import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { filesIn, textOf } from "../tidy/tree.ts";

const workflows = filesIn(".github/workflows").map((path) => textOf(path));

describe("the workflows", () => {
  test("run only scripts and files that exist", () => {
    const named = workflows.flatMap((text) =>
      [...text.matchAll(/(?<=[ \n])(?:scripts|test)\/[\w./-]+/g)].map(([path]) => path),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
    const scripts = workflows.flatMap((text) =>
      [...text.matchAll(/npm (?:run )?(test[:\w]*|build|docs)/g)].map(([, name]) => name ?? ""),
    );
    const known = Object.keys(JSON.parse(textOf("package.json")).scripts);
    expect(scripts.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("run every test that needs PostgreSQL on each of its versions", () => {
    const [, line = ""] =
      /vitest run([^]*?)\n(?! {8})/.exec(textOf(".github/workflows/test.yml")) ?? [];
    const folders = line.split(/\s+/).filter((word) => word.startsWith("test/"));
    const asking = reaching("test/postgres-server.ts").filter((path) => path.endsWith(".test.ts"));
    expect(asking.length).toBeGreaterThan(10);
    expect(asking.filter((path) => !folders.some((folder) => path.startsWith(folder)))).toEqual([]);
  });

  test("set the repository URL before publishing: npm refuses provenance without it", () => {
    const steps = textOf(".github/workflows/release.yml");
    const said = steps.indexOf("npm pkg set");
    expect(said).toBeGreaterThan(0);
    expect(steps.indexOf("repository.url=", said)).toBeLessThan(steps.indexOf("npm publish"));
  });
});

test("no file changes its bytes when checked out on Windows", ({ skip }) => {
  const git = spawnSync("git", ["ls-files", "--eol"], { encoding: "utf8" });
  if (git.status !== 0) skip("there is no history here");
  const changed = git.stdout
    .trim()
    .split("\n")
    .filter(
      (line) =>
        !/attr\/-text|attr\/text=auto eol=lf/.test(line) || /^i\/(crlf|mixed).*eol=lf/.test(line),
    );
  expect(changed).toEqual([]);
});

/** Test files that import a file, directly or indirectly. */
function reaching(target: string): string[] {
  const texts = filesIn("test")
    .filter((path) => path.endsWith(".ts") && !path.startsWith("test/fixtures/"))
    .map((path) => [path, textOf(path)] as const);
  const found = new Set([target]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const [path, text] of texts) {
      const here = path.slice(0, path.lastIndexOf("/") + 1);
      const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, name = ""]) =>
        new URL(name, `file:///${here}`).pathname.slice(1),
      );
      if (imports.some((name) => found.has(name))) found.add(path);
    }
  }
  return [...found];
}
