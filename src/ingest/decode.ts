import type { Diagnostic } from "../core/diagnostic.ts";
import { recogniseHandover } from "../core/handed-over.ts";
import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import { holdsSession } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Decoded, DecodedFile, Depth, HomeView, ReadOptions } from "../sources/source.ts";
import type { Root, Source } from "../sources/source.ts";
import { DiagnosticList, unreadable } from "./diagnostics.ts";

/** A root of a source. */
export interface Place {
  source: Source;
  root: Root;
}

/** A file with its bytes, and the root that it lies in. */
export interface OpenedFile {
  file: SessionFile;
  bytes: ByteSource;
  home: HomeView;
  /** Only what had been written by then. */
  until?: ReadOptions["until"];
}

/** Read for sessions: those that hold one, and totals over many. */
export function isSessionFile(file: Pick<SessionFile, "role">): boolean {
  return holdsSession(file) || file.role === "totals";
}

/** A root with its projects, which are worked out when they are first asked for. */
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
export function decodeFile(source: Source, opened: OpenedFile, depth: Depth): DecodedFile {
  const { file, bytes, home, until } = opened;
  const list = new DiagnosticList();
  const report = (diagnostic: Diagnostic): void => list.add(diagnostic);
  const read = (at: Depth): Decoded | "declined" => {
    return source.read(file, bytes, { depth: at, report, ...(until ? { until } : {}) });
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
    decoded = { format: "unknown", generation: "unknown", content: source.emptyContent };
  }
  return { ...decoded, file, home, diagnostics: list.all() };
}

/** The sessions of files that belong together. */
export function interpretFiles(
  source: Source,
  decoded: readonly DecodedFile[],
  depth: Depth,
): Session[] {
  const { id, ledgerName } = source;
  return source
    .interpret(decoded, depth)
    .map((content) => recogniseHandover({ ...content, source: id, ledgerName }));
}
