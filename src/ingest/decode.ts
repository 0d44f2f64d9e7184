import type { Diagnostic } from "../core/files/diagnostic.ts";
import { recogniseHandover } from "../core/session/handed-over.ts";
import type { Session } from "../core/session/session.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import { holdsSession } from "../core/files/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Decoded, DecodedFile, Depth, HomeView, ReadOptions } from "../sources/source.ts";
import type { Root, Source } from "../sources/source.ts";
import { DiagnosticList, unreadable } from "./diagnostics.ts";

/** A root of a source. */
export interface SourceRoot {
  source: Source;
  root: Root;
}

/** A file with its bytes, and the root that it lies in. */
export interface OpenedFile {
  file: SessionFile;
  bytes: ByteSource;
  home: HomeView;
  /** Decode only what had been written by this time. */
  until?: ReadOptions["until"];
}

/** Whether a file is read for sessions: it holds one, or totals over many. */
export function isSessionFile(file: Pick<SessionFile, "role">): boolean {
  return holdsSession(file) || file.role === "totals";
}

/** Adds the projects of a root, indexed on first use. */
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

/** Returns the keys of a file; none if it cannot be read, so that it forms a group alone. */
export function keysOf(source: Source, file: SessionFile, bytes: ByteSource): string[] {
  try {
    return source.keysOf(file, bytes);
  } catch {
    // The error is reported when the file is decoded.
    return [];
  }
}

/** Decodes a file. A read error becomes a diagnostic, so that other files are still read. */
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
    // Depth "usage" may decline without a diagnostic: fall back to "outline".
    if (decoded === "declined") decoded = read("outline");
  } catch (error) {
    list.add(unreadable(file.path, error));
  }
  if (decoded === "declined") {
    decoded = { format: "unknown", generation: "unknown", content: source.emptyContent };
  }
  return { ...decoded, file, home, diagnostics: list.all() };
}

/** Interprets the files of a group as sessions. */
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
