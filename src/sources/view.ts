import { readdirSync, statSync } from "node:fs";
import { readForeignText } from "../kernel/open-file.ts";

/**
 * The files around sessions, as they lie on the disk or as they are kept. What is not there throws
 * an error with the code `ENOENT`, as the disk does.
 */
export interface View {
  read(path: string): string;
  /** Names in a folder. */
  list(folder: string): string[];
  /** Of a file; nothing when there is none. */
  sizeOf(path: string): number | undefined;
}

export const diskView: View = {
  read: readForeignText,
  list: (folder) => readdirSync(folder),
  sizeOf(path) {
    try {
      const stat = statSync(path);
      return stat.isFile() ? stat.size : undefined;
    } catch {
      // Gone between listing and looking.
      return undefined;
    }
  },
};
