import { cpSync, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { PolluxError } from "../core/error.ts";
import { readForeignText } from "../kernel/open-file.ts";
import type { Expected } from "./answer.ts";

/** One home, with what a correct reader finds in it. */
export interface Case {
  /** Where it lies in the kit: `claude-code/2.1.325/basic`. */
  id: string;
  about: string;
  /** The home: it holds `.gemini`, `.claude`, `.codex` or `.qwen`. */
  folder: string;
  /** Variables by which the program was sent to other folders, relative to the home. */
  environment: Readonly<Record<string, string>>;
  expected: Expected;
}

/** What `expected.json` says: of the folder `home` beside it, or of several homes below it. */
type ExpectedFile = Told | { cases: Record<string, Told> };

interface Told {
  about: string;
  environment?: Record<string, string>;
  expected: Expected;
}

const FILE = "expected.json";

/** Every case of a kit: whatever has an `expected.json` in the folder or below it. */
export function readKit(folder: string): Case[] {
  const files = expectedFiles(folder).toSorted();
  if (files.length > 0) return files.flatMap((file) => casesOf(file, folder));
  throw new PolluxError("no-such-kit", `There is no conformance kit in ${folder}.`, {
    remedy: "A kit has files named expected.json; the project's own is its folder test/fixtures.",
  });
}

function expectedFiles(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile() && entry.name === FILE) return [path];
    // A home is evidence: whatever lies in it is no part of the kit's own files.
    const isHome = entry.name === "home" || entry.name.startsWith(".");
    return entry.isDirectory() && !isHome ? expectedFiles(path) : [];
  });
}

function casesOf(file: string, kit: string): Case[] {
  const folder = dirname(file);
  const said = parsed(file);
  const homes = "cases" in said ? Object.entries(said.cases) : [["home", said] as const];
  return homes.map(([home, { about, environment = {}, expected }]) => {
    const at = "cases" in said ? join(folder, home) : folder;
    const id = relative(kit, at).replaceAll("\\", "/") || ".";
    return { id, about, folder: join(folder, home), environment, expected };
  });
}

function parsed(file: string): ExpectedFile {
  try {
    return JSON.parse(readForeignText(file)) as ExpectedFile;
  } catch (error) {
    throw new PolluxError("bad-kit", `${file} is no JSON.`, { cause: error });
  }
}

/** Readers may write beside what they read: each gets a copy of the home. */
export function layOut({ folder }: Pick<Case, "folder">, home: string): void {
  if (existsSync(folder)) cpSync(folder, home, { recursive: true });
}
