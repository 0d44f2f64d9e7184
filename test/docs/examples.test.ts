// @module-tag slow
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../..");
const isBuilt = existsSync(join(REPOSITORY, "dist", "index.js"));

interface Example {
  /** `docs/guide/library.md, line 6` */
  name: string;
  file: string;
  code: string;
}

/** Every TypeScript and JavaScript block in a document. */
function examplesIn(document: string): Example[] {
  const text = readFileSync(join(REPOSITORY, document), "utf8");
  return [...text.matchAll(/^```(?:ts|js|typescript|javascript)\n([\s\S]*?)^```$/gm)].map(
    (match) => {
      const line = text.slice(0, match.index).split("\n").length;
      const file = `${document.replaceAll(/[^a-z]/gi, "-")}-${line}`;
      return { name: `${document}, line ${line}`, file, code: match[1] ?? "" };
    },
  );
}

const documents = readdirSync(join(REPOSITORY, "docs"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md"))
  .map((path) => `docs/${path}`);
const examples = ["README.md", ...documents.toSorted()].flatMap(examplesIn);

/** Compiler settings of a strict project that uses the package. */
const SETTINGS = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    typeRoots: [join(REPOSITORY, "node_modules/@types")],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    outDir: "out",
    rootDir: ".",
  },
  include: ["*.ts"],
};

describe.skipIf(!isBuilt)("the documents' examples (need the build)", () => {
  const folder = mkdtempSync(join(tmpdir(), "pollux-examples-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(REPOSITORY, join(folder, "node_modules", "pollux"), "junction");
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(SETTINGS));
    for (const { file, code } of examples) writeFileSync(join(folder, `${file}.ts`), code);
  });

  test("compile", () => {
    const compiler = join(REPOSITORY, "node_modules/.bin/tsc");
    const { stdout, status } = spawnSync(compiler, ["-p", folder], { encoding: "utf8" });
    expect([stdout, status]).toEqual(["", 0]);
  });

  test.each(examples)("run: $name", ({ file }) => {
    const program = join(folder, "out", `${file}.js`);
    const home = join(REPOSITORY, "demo", "home");
    const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home };
    const quietly = { env, cwd: folder, stdio: "pipe" } as const;
    expect(() => execFileSync(process.execPath, [program], quietly)).not.toThrow();
  });
});

test("the documents have at least five examples", () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
});
