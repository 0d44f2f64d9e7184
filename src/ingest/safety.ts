import type { Archive } from "../store/archive.ts";
import { compare } from "./changed.ts";
import type { Home } from "./gather.ts";

/** What of the disk is in the archive, as it is now. */
export interface Safety {
  /** Where the archive lies. */
  path: string;
  /** When it was last compared with the disk. */
  lookedMs: number;
  /** Files on the disk whose newest content is kept, and how many are not. */
  keptFiles: number;
  unkeptFiles: number;
}

/** Compares by what the file system tells; opens nothing and writes nothing. */
export function safetyOf(
  archive: Archive,
  homes: readonly Home[],
): { safety: Safety; unkept: Set<string> } {
  const unkept = new Set<string>();
  let files = 0;
  let lookedMs = 0;
  const roots = archive.files.roots().filter(({ machine }) => machine.isThis);
  const forgotten = archive.files.forgotten();
  for (const home of homes) {
    // What was forgotten is not to be kept: it is neither safe nor in danger.
    const wanted = home.files.filter(({ path }) => !forgotten.has("file", path));
    const root = roots.find((one) => one.path === home.root.path && one.source === home.source.id);
    const kept = root ? archive.files.files(root) : [];
    files += wanted.length;
    lookedMs = Math.max(lookedMs, root?.lookedMs ?? 0);
    for (const { file } of compare(wanted, kept).changed) unkept.add(file.path);
  }
  const keptFiles = files - unkept.size;
  return { safety: { path: archive.path, lookedMs, keptFiles, unkeptFiles: unkept.size }, unkept };
}
