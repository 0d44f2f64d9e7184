import type { Diagnostic } from "../../src/core/files/diagnostic.ts";
import { groupConnected } from "../../src/core/group.ts";
import type { Session } from "../../src/core/session/session.ts";
import { fileBytes } from "../../src/kernel/bytes.ts";
import type { DecodedFile, Depth, Root, Source } from "../../src/sources/source.ts";
import { diskView } from "../../src/sources/view.ts";
import type { OpenedFile } from "../../src/ingest/decode.ts";
import {
  decodeFile,
  homeView,
  interpretFiles,
  isSessionFile,
  keysOf,
} from "../../src/ingest/decode.ts";

/** The result of reading one root directly from the disk. */
export interface ReadHome {
  sessions: Session[];
  files: DecodedFile[];
  diagnostics: Diagnostic[];
}

/** The plain way: reads every session file of a root, group by group, in one thread. */
export function readHome(source: Source, root: Root, depth: Depth): ReadHome {
  return readHomes(source, [root], depth);
}

/** The same for several roots of a source: files of one session may be in two of them. */
export function readHomes(source: Source, roots: readonly Root[], depth: Depth): ReadHome {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const opened = roots.flatMap((root) => openHome(source, root, report));
  const groups = groupConnected(opened, ({ file, bytes }) => keysOf(source, file, bytes));
  const files: DecodedFile[] = [];
  const sessions = groups.flatMap((group) => {
    const decoded = group.map((member) => decodeFile(source, member, depth));
    files.push(...decoded);
    return interpretFiles(source, decoded, depth);
  });
  return { sessions, files, diagnostics: [...diagnostics, ...files.flatMap((f) => f.diagnostics)] };
}

function openHome(
  source: Source,
  root: Root,
  report: (diagnostic: Diagnostic) => void,
): OpenedFile[] {
  const found = source.find(root, report);
  const view = { root: root.path, folders: found.folders, view: diskView };
  const home = homeView(source, view, report);
  return found.files.filter(isSessionFile).map((file) => {
    return { file, bytes: fileBytes(file.path), home };
  });
}
