import type { Diagnostic } from "../core/files/diagnostic.ts";
import type { KnownFile, KnownRoot } from "../core/files/kept.ts";
import { optional } from "../core/optional.ts";
import type { FileRole, SessionFile } from "../core/files/session-file.ts";
import { diskFieldsOf } from "../core/files/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { HomeView, Source } from "../sources/source.ts";
import type { View } from "../sources/view.ts";
import type { Reads, Store } from "../store/store.ts";
import type { OpenedFile } from "./decode.ts";
import { homeView } from "./decode.ts";

/** The part of a store that reading single sessions needs. */
export type SessionStore = Reads & Pick<Store, "known" | "bytes">;

/** A kept root. The same code reads it as a root on disk. */
export interface StoredHome {
  source: Source;
  root: KnownRoot;
  view: HomeView;
  /** Diagnostics of the files that name its projects. */
  diagnostics: Diagnostic[];
}

/** Roles of other files that reading a session may need. */
const AROUND: readonly FileRole[] = ["evidence", "spill", "companion", "totals", "prompt-log"];

export async function storedHome(
  store: SessionStore,
  source: Source,
  root: KnownRoot,
): Promise<StoredHome> {
  const files = new Map<string, { file: KnownFile; bytes: ByteSource }>();
  for (const file of await store.known({ rootId: root.id, roles: AROUND })) {
    files.set(file.path, { file, bytes: await store.bytes(file) });
  }
  const known = [...files.values()];
  const folders = [...new Set(known.map(({ file }) => file.folder))].filter((name) => name !== "");
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const home = { root: root.path, folders: folders.toSorted(), view: new StoredView(files) };
  return { source, root, view: homeView(source, home, report), diagnostics };
}

class StoredView implements View {
  readonly #files: ReadonlyMap<string, { file: KnownFile; bytes: ByteSource }>;
  #names: Map<string, Set<string>> | undefined;

  constructor(files: ReadonlyMap<string, { file: KnownFile; bytes: ByteSource }>) {
    this.#files = files;
  }

  read(path: string): string {
    const found = this.#files.get(path);
    if (!found) throw absent(path);
    return found.bytes.range(0, found.file.sizeBytes).toString("utf8");
  }

  list(folder: string): string[] {
    this.#names ??= namesByFolder(this.#files.keys());
    const names = this.#names.get(folder);
    if (!names) throw absent(folder);
    return [...names];
  }

  sizeOf(path: string): number | undefined {
    return this.#files.get(path)?.file.sizeBytes;
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
  const error: NodeJS.ErrnoException = new Error(`There is no ${path} in the store.`);
  error.code = "ENOENT";
  return error;
}

/** Sorts as a directory walk does: folder by folder, name by name. */
export function comparePaths(a: Pick<SessionFile, "path">, b: Pick<SessionFile, "path">): number {
  const [left, right] = [a.path, b.path];
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return orderOf(left, at) - orderOf(right, at);
}

/** The end of the path sorts first, then a separator, then all other characters. */
function orderOf(path: string, at: number): number {
  if (at >= path.length) return -2;
  const character = path.charAt(at);
  return character === "/" || character === "\\" ? -1 : path.charCodeAt(at);
}

/** Opens kept files, except those of roots that are not among `homes`. */
export async function openKept(
  store: Pick<Store, "bytes">,
  files: readonly KnownFile[],
  homes: readonly StoredHome[],
): Promise<(OpenedFile & { source: Source })[]> {
  const opened: (OpenedFile & { source: Source })[] = [];
  for (const file of files) {
    const home = homes.find(({ root }) => root.id === file.rootId);
    if (!home) continue;
    const { source, view } = home;
    const bytes = await store.bytes(file);
    opened.push({ source, file: sessionFileOf(file), bytes, home: view });
  }
  return opened;
}

/** Removes the fields that only the store knows. */
export function sessionFileOf(file: KnownFile): SessionFile {
  return { ...diskFieldsOf(file), ...optional("replaced", file.replaced) };
}
