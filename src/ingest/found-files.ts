import { holdsSession } from "../core/files/session-file.ts";
import type { SourceRoot } from "./decode.ts";
import { findHome } from "./disk-home.ts";

/** Files on disk, counted without opening them. */
export interface FoundFiles {
  /** Names of the agents that have files. */
  agents: string[];
  /** Session files, counted as everywhere else. */
  files: number;
  /** Other files: saved chats, prompt logs, totals, spilled outputs. */
  besideFiles: number;
  /** Size of all these files. */
  sizeBytes: number;
}

export function foundFiles(places: readonly SourceRoot[]): FoundFiles {
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
