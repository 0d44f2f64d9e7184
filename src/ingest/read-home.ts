import type { Diagnostic } from "../core/diagnostic.ts";
import { groupConnected } from "../core/group.ts";
import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { Decoded, DecodedFile, Depth, HomeView, Root, Source } from "../sources/source.ts";
import { diskView } from "../sources/view.ts";
import { DiagnosticList, unreadable } from "./diagnostics.ts";

/** What was read of one root, straight from the disk. */
export interface ReadHome {
  sessions: Session[];
  files: DecodedFile[];
  diagnostics: Diagnostic[];
}

/** The plain way: every session file of a root, group by group, in one thread. */
export function readHome(source: Source, root: Root, depth: Depth): ReadHome {
  return readHomes(source, [root], depth);
}

/** The same over several roots of a source: what belongs together may lie in two of them. */
export function readHomes(source: Source, roots: readonly Root[], depth: Depth): ReadHome {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const opened = roots.flatMap((root) => openHome(source, root, report));
  const groups = groupConnected(opened, ({ file, bytes }) => keysOf(source, file, bytes));
  const files: DecodedFile[] = [];
  const sessions = groups.flatMap((group) => {
    const decoded = group.map((member) => decodeFile(source, member, depth));
    files.push(...decoded);
    return source.interpret(decoded, depth);
  });
  return { sessions, files, diagnostics: [...diagnostics, ...files.flatMap((f) => f.diagnostics)] };
}

interface OpenedFile {
  file: SessionFile;
  bytes: ByteSource;
  home: HomeView;
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

export function homeView(
  source: Source,
  home: Omit<HomeView, "projects">,
  report: (diagnostic: Diagnostic) => void,
): HomeView {
  const { projects } = source.abilities;
  if (!projects) return home;
  let index: ReturnType<typeof projects.index> | undefined;
  return {
    ...home,
    get projects() {
      return (index ??= projects.index(home, report));
    },
  };
}

const SESSION_ROLES = new Set(["main", "subagent", "set-aside", "totals"]);

export function isSessionFile({ role }: Pick<SessionFile, "role">): boolean {
  return SESSION_ROLES.has(role);
}

/** The keys of a file; one that cannot be looked into stands for itself. */
export function keysOf(source: Source, file: SessionFile, bytes: ByteSource): string[] {
  try {
    return source.keysOf(file, bytes);
  } catch {
    // What is wrong with it is reported when it is read.
    return [];
  }
}

/** A file's bytes, decoded. A broken disk is a diagnostic, too: neighbours go on. */
export function decodeFile(
  source: Source,
  { file, bytes, home }: OpenedFile,
  depth: Depth,
): DecodedFile {
  const list = new DiagnosticList();
  const read = (at: Depth): Decoded | "declined" => {
    return source.read(file, bytes, { depth: at, report: (diagnostic) => list.add(diagnostic) });
  };
  let decoded: Decoded | "declined" = "declined";
  try {
    decoded = read(depth);
    // Whoever declines the quick way says nothing of it; the file is read as it is.
    if (decoded === "declined") decoded = read("outline");
  } catch (error) {
    list.add(unreadable(file.path, error));
  }
  if (decoded === "declined") {
    decoded = { format: "unknown", generation: "unknown", content: source.nothing };
  }
  return { ...decoded, file, home, diagnostics: list.all() };
}
