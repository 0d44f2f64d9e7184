import type { Archive, Reading } from "../store/archive.ts";
import type { KeptFile, KeptRoot } from "../core/kept.ts";
import { optional } from "../core/optional.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Source } from "../sources/source.ts";
import type { View } from "../sources/view.ts";
import type { Home } from "./gather.ts";
import { peekBytes, withProjects } from "./gather.ts";

/** A root as it is kept: read by the same code as one on the disk. */
export interface ArchivedHome extends Home {
  kept: KeptRoot;
  fileAt(path: string): KeptFile | undefined;
}

export function archivedHome(
  archive: Archive,
  source: Source,
  told: { root: KeptRoot; files: readonly KeptFile[] },
): ArchivedHome {
  const { root } = told;
  // Contents that were replaced are read like files, as far as they tell something of their own.
  const replaced = archive.files.replaced(root, archive.rows.replaced(root.id));
  const files = [...told.files, ...replaced];
  const byPath = new Map(files.map((file) => [file.path, file]));
  const fileAt = (path: string): KeptFile | undefined => byPath.get(path);
  const open = ({ path }: SessionFile): ByteSource => {
    const file = fileAt(path);
    if (!file) throw absent(path);
    return archive.files.bytes(file);
  };
  // Of all files, whichever are told: they tell which projects there are.
  const folders = archive.files.folders(root).filter((name) => name !== "");
  const home = withProjects({
    source,
    root: { path: root.path, because: "the archive", isFound: true },
    files: inPlaces(files).map(sessionFileOf),
    folders: folders.toSorted(),
    diagnostics: [],
    view: new ArchiveView(byPath, open),
    open,
    ...known(archive, root, { source, open, fileAt }),
  });
  // A spread would work out the projects at once.
  return Object.assign(home, { kept: root, fileAt });
}

/** As much of a root as it takes to read some of its sessions again. */
export function homeAround(
  archive: Archive,
  source: Source,
  told: { root: KeptRoot; sessions: Iterable<string>; files?: readonly number[] },
): ArchivedHome {
  const { root, files = [] } = told;
  const theirs = [...told.sessions].flatMap((id) => archive.rows.filesOf(id, root.id));
  return archivedHome(archive, source, {
    root,
    files: archive.files.filesAround(root, [...files, ...theirs]),
  });
}

/** What was read of files before; one that was not read yet is looked into. */
function known(
  archive: Archive,
  root: KeptRoot,
  home: Pick<ArchivedHome, "source" | "open" | "fileAt">,
): Pick<Home, "peek" | "promptLog"> {
  let readings: Map<number, Reading> | undefined;
  const readingOf = ({ path }: SessionFile): Reading | undefined => {
    readings ??= new Map(archive.rows.readings([root.id]).map((one) => [one.fileId, one]));
    const file = home.fileAt(path);
    const reading = file && readings.get(file.id);
    const isNewest = reading?.stream === file?.stream && reading?.sizeBytes === file?.sizeBytes;
    return isNewest ? reading : undefined;
  };
  return {
    peek: (file) => {
      const id = readingOf(file)?.sessionId;
      return id === undefined ? peekBytes(home.source, home.open(file)) : id.split("~", 1)[0];
    },
    promptLog: (file) => readingOf(file)?.leftover as ReturnType<NonNullable<Home["promptLog"]>>,
  };
}

/** The same order for many: comparing whole texts is what engines are quick at. */
function inPlaces(files: readonly KeptFile[]): KeptFile[] {
  const keyed = files.map((file) => {
    return { file, key: file.path.replaceAll("\\", "/").replaceAll("/", "\0") };
  });
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return keyed.map(({ file }) => file);
}

/** In the order in which a walk over the disk finds them: folder by folder, name by name. */
export function byPlace(a: Pick<SessionFile, "path">, b: Pick<SessionFile, "path">): number {
  const [left, right] = [a.path, b.path];
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return orderOf(left, at) - orderOf(right, at);
}

/** The end comes first, then what ends a name, then all else. */
function orderOf(path: string, at: number): number {
  if (at >= path.length) return -2;
  const character = path.charAt(at);
  return character === "/" || character === "\\" ? -1 : path.charCodeAt(at);
}

export function sessionFileOf(file: KeptFile): SessionFile {
  const { path, root, role, sizeBytes, modifiedMs, inode, folder, isCleaned, parentId } = file;
  const { replaced } = file;
  return {
    path,
    root,
    role,
    sizeBytes,
    modifiedMs,
    ...optional("inode", inode),
    isCleaned,
    folder,
    ...optional("parentId", parentId),
    ...optional("replaced", replaced),
  };
}

class ArchiveView implements View {
  readonly #files: ReadonlyMap<string, KeptFile>;
  readonly #open: (file: SessionFile) => ByteSource;
  #names: Map<string, Set<string>> | undefined;

  constructor(files: ReadonlyMap<string, KeptFile>, open: (file: SessionFile) => ByteSource) {
    this.#files = files;
    this.#open = open;
  }

  read(path: string): string {
    const file = this.#files.get(path);
    if (!file) throw absent(path);
    return this.#open(file).range(0, file.sizeBytes).toString("utf8");
  }

  list(folder: string): string[] {
    this.#names ??= namesByFolder(this.#files.keys());
    const names = this.#names.get(folder);
    if (!names) throw absent(folder);
    return [...names];
  }

  sizeOf(path: string): number | undefined {
    return this.#files.get(path)?.sizeBytes;
  }
}

function namesByFolder(paths: Iterable<string>): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const path of paths) {
    const separator = path.startsWith("/") ? "/" : "\\";
    let end = path.length;
    for (let at = path.lastIndexOf(separator); at > 0; at = path.lastIndexOf(separator, at - 1)) {
      const folder = path.slice(0, at);
      const name = path.slice(at + 1, end);
      const inside = names.get(folder);
      if (inside?.has(name) === true) break;
      if (inside) inside.add(name);
      else names.set(folder, new Set([name]));
      end = at;
    }
  }
  return names;
}

function absent(path: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`There is no ${path} in the archive.`);
  error.code = "ENOENT";
  return error;
}
