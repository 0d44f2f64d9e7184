import type { Place } from "./decode.ts";
import { findHome } from "./disk-home.ts";

/** What lies on the disk, by what the file system tells. */
export interface FoundFiles {
  /** Names of the agents whose files they are. */
  agents: string[];
  files: number;
  sizeBytes: number;
}

export function foundFiles(places: readonly Place[]): FoundFiles {
  const found: FoundFiles = { agents: [], files: 0, sizeBytes: 0 };
  for (const place of places.filter(({ root }) => root.isFound)) {
    const { files } = findHome(place);
    const { name } = place.source;
    if (files.length > 0 && !found.agents.includes(name)) found.agents.push(name);
    found.files += files.length;
    found.sizeBytes += files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }
  return found;
}
