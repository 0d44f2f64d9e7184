import { cpSync, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { PolluxError } from "../core/error.ts";
import { readForeignText } from "../kernel/open-file.ts";
import type { Expected } from "./answer.ts";

/** A home folder, with the expected answer. */
export interface Case {
  /** Its path in the kit: `claude-code/2.1.325/basic`. */
  id: string;
  about: string;
  /** The home folder; contains `.gemini`, `.claude`, `.codex` or `.qwen`. */
  folder: string;
  /** Environment variables that name other folders, relative to the home. */
  environment: Readonly<Record<string, string>>;
  expected: Expected;
}

/** Content of `expected.json`: for the folder `home` beside it, or for several homes below it. */
type ExpectedFile = ExpectedCase | { cases: Record<string, ExpectedCase> };

interface ExpectedCase {
  about?: string;
  environment?: Record<string, string>;
  expected?: Expected;
}

const FILE = "expected.json";

/** Reads all cases of a kit: every `expected.json` in the folder or below it. */
export function readKit(folder: string): Case[] {
  const files = expectedFiles(folder).toSorted();
  if (files.length > 0) return files.flatMap((file) => casesOf(file, folder));
  throw new PolluxError("no-such-kit", `No conformance kit found in ${folder}.`, {
    remedy: "A kit contains files named expected.json; the project's own is test/fixtures.",
  });
}

function expectedFiles(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile() && entry.name === FILE) return [path];
    // A home is test data: an `expected.json` inside it is not a case.
    const isHome = entry.name === "home" || entry.name.startsWith(".");
    return entry.isDirectory() && !isHome ? expectedFiles(path) : [];
  });
}

function casesOf(file: string, kit: string): Case[] {
  const folder = dirname(file);
  const content = parsed(file);
  const homes = "cases" in content ? Object.entries(content.cases) : [["home", content] as const];
  return homes.map(([home, { about, environment = {}, expected }]) => {
    if (about === undefined || expected === undefined) {
      throw new PolluxError("bad-kit", `${file}: "${home}" has no "about" or no "expected".`);
    }
    const at = "cases" in content ? join(folder, home) : folder;
    const id = relative(kit, at).replaceAll("\\", "/") || ".";
    return { id, about, folder: join(folder, home), environment, expected };
  });
}

function parsed(file: string): ExpectedFile {
  try {
    return JSON.parse(readForeignText(file)) as ExpectedFile;
  } catch (error) {
    throw new PolluxError("bad-kit", `${file} is not JSON.`, { cause: error });
  }
}

/** Copies the home for each reader, because readers may write into it. */
export function copyHome({ folder }: Pick<Case, "folder">, home: string): void {
  if (existsSync(folder)) cpSync(folder, home, { recursive: true });
}
