import type { Diagnostic } from "../core/files/diagnostic.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type { HomeView } from "../sources/source.ts";
import { diskView } from "../sources/view.ts";
import type { SourceRoot } from "./decode.ts";
import { homeView } from "./decode.ts";

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
