import type { Diagnostic } from "../core/files/diagnostic.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type { HomeView } from "../sources/source.ts";
import { diskView } from "../sources/view.ts";
import type { SourceRoot } from "./decode.ts";
import { homeView } from "./decode.ts";
import { holdsSession, totalBytes } from "../core/files/session-file.ts";

/** A root on disk, with the files found in it. */
export interface DiskHome {
  files: readonly SessionFile[];
  view: HomeView;
  diagnostics: Diagnostic[];
}

export function findHome({ source, root }: SourceRoot): DiskHome {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const { files, folders } = source.find(root, report);
  const view = homeView(source, { root: root.path, folders, view: diskView }, report);
  return { files, view, diagnostics };
}

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
    found.sizeBytes += totalBytes(files);
  }
  return found;
}
