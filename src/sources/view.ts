import { readdirSync, statSync } from "node:fs";
import { readForeignText } from "../kernel/open-file.ts";

/**
 * Access to other files in a root, on disk or as kept in the store. A missing file throws an error
 * with the code `ENOENT`, as `node:fs` does.
 */
export interface View {
  read(path: string): string;
  /** Returns the names in a folder. */
  list(folder: string): string[];
  /** Returns the size of a file, or undefined if it does not exist. */
  sizeOf(path: string): number | undefined;
}

export const diskView: View = {
  read: readForeignText,
  list: (folder) => readdirSync(folder),
  sizeOf(path) {
    try {
      // An exception for each missing file would take much longer than asking for it.
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() === true ? stat.size : undefined;
    } catch {
      // Unreachable.
      return undefined;
    }
  },
};

/** The text of a file; undefined if there is no such file, which is usual. */
export function textIn(view: View, path: string): string | undefined {
  try {
    return view.read(path);
  } catch {
    // Few homes have every file.
    return undefined;
  }
}
