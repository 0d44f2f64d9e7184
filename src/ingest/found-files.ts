import { holdsSession } from "../core/session-file.ts";
import type { Place } from "./decode.ts";
import { findHome } from "./disk-home.ts";

/** What lies on the disk, by what the file system tells. */
export interface FoundFiles {
  /** Names of the agents whose files they are. */
  agents: string[];
  /** Of sessions, as every other count of session files. */
  files: number;
  /** Beside them: saved chats, logs of prompts, totals, spilled outputs. */
  besideFiles: number;
  /** Of all of them. */
  sizeBytes: number;
}

export function foundFiles(places: readonly Place[]): FoundFiles {
  const found: FoundFiles = { agents: [], files: 0, besideFiles: 0, sizeBytes: 0 };
  for (const place of places.filter(({ root }) => root.isFound)) {
    const { files } = findHome(place);
    const { name } = place.source;
    if (files.length > 0 && !found.agents.includes(name)) found.agents.push(name);
    const own = files.filter(holdsSession).length;
    found.files += own;
    found.besideFiles += files.length - own;
    found.sizeBytes += files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }
  return found;
}
