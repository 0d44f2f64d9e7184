import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root: string = join(import.meta.dirname, "..", "..");

/** Paths of all project files, tracked or new and not ignored, relative to the root. */
export const files: readonly string[] = listFiles();

function listFiles(): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const git = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (git.status === 0) {
    return git.stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  }
  // Unpacked without Git history: all files except generated ones.
  const made = /^(node_modules|dist|coverage|\.git)(\/|$)/;
  const entries = readdirSync(root, { recursive: true, encoding: "utf8" });
  return entries.map((path) => path.replaceAll("\\", "/")).filter((path) => !made.test(path));
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function filesIn(folder: string): string[] {
  return files.filter((path) => path.startsWith(`${folder}/`));
}

/** Names of the files directly inside a folder, without extension. */
export function stemsIn(folder: string): string[] {
  const inside = filesIn(folder).map((path) => path.slice(folder.length + 1));
  return inside.filter((name) => !name.includes("/")).map((name) => name.replace(/\.ts$/, ""));
}

export function foldersIn(folder: string): string[] {
  const inside = filesIn(folder).map((path) => path.slice(folder.length + 1));
  const folders = inside.filter((name) => name.includes("/")).map((name) => name.split("/", 1)[0]);
  return [...new Set(folders)].filter((name) => name !== undefined);
}

/** Headings of the user documentation and the README. */
export function headings(): string[] {
  const pages = files.filter((path) => /^docs\/(guide|formats)\/.*\.md$/.test(path));
  return [...pages, "README.md"].flatMap((page) =>
    textOf(page)
      .split("\n")
      .filter((line) => /^#+ /.test(line)),
  );
}
