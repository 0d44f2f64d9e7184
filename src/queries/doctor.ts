import type { Diagnostic } from "../core/diagnostic.ts";
import type { Digest } from "../core/digest.ts";
import { groupBy } from "../core/group.ts";
import type { FormatName, SessionFile } from "../core/session-file.ts";
import type { ProjectAnswer } from "../core/summary.ts";
import type { Coverage } from "./coverage.ts";
import { coverageOf, readCounts } from "./coverage.ts";
import type { AtRisk, Retention } from "./retention-risk.ts";
import { findRisks } from "./retention-risk.ts";
import { oddDiagnostics } from "./odd-counts.ts";

/** What was looked at, how it was understood, what was not, and what may be lost. */
export interface DoctorAnswer {
  roots: { path: string; because: string; isFound: boolean; files: number; retention: Retention }[];
  formats: Count[];
  generations: Count[];
  sessions: { main: number; subagent: number; savedChats: number; promptLogsOnly: number };
  files: { total: number; copies: number; stubs: number; setAside: number; empty: number };
  projects: {
    total: number;
    named: number;
    unknown: number;
    knownBy: Count[];
    /** Most sessions first. */
    list: ExaminedProject[];
  };
  atRisk: AtRisk[];
  /** What is safe; nothing when there is no archive. */
  archive: ArchiveHealth | null;
  coverage: Coverage;
}

/** What of the disk is kept, and what is kept beyond it. */
export interface ArchiveHealth {
  path: string;
  lookedAt: string | null;
  keptFiles: number;
  unkeptFiles: number;
  /** Sessions that will be deleted, and of which nothing is kept: no other answer knows them. */
  unkeptAtRisk: number;
  goneSessions: number;
}

export interface ExaminedProject extends ProjectAnswer {
  sessions: number;
}

export interface Count {
  name: string;
  count: number;
}

export interface Examined {
  roots: { path: string; because: string; isFound: boolean; retention: Retention }[];
  files: readonly { file: SessionFile; format: FormatName; generation: string; isRead: boolean }[];
  digests: readonly Digest[];
  savedChats: number;
  promptLogsOnly: number;
  diagnostics: readonly Diagnostic[];
  nowMs: number;
  archive: Omit<ArchiveHealth, "unkeptAtRisk"> | null;
  isKept: (path: string) => boolean;
  /** Files of sessions that will be deleted and are not kept as they are now, by session. */
  foreseen: readonly (readonly string[])[];
}

export function examine(examined: Examined): DoctorAnswer {
  const { digests, files } = examined;
  const sessions = digests.map(({ session }) => session);
  const parts = sessions.flatMap((session) => session.files);
  const projects = projectsOf(digests);
  const atRisk = findRisks(digests, examined);
  const named = projects.filter(({ path }) => path !== null).length;
  return {
    roots: examined.roots.map((root) => {
      return { ...root, files: files.filter(({ file }) => file.root === root.path).length };
    }),
    formats: count(files.map(({ format }) => format)),
    generations: count(files.map(({ generation }) => generation)),
    sessions: {
      main: sessions.filter(({ kind }) => kind === "main").length,
      subagent: sessions.filter(({ kind }) => kind === "subagent").length,
      savedChats: examined.savedChats,
      promptLogsOnly: examined.promptLogsOnly,
    },
    files: {
      total: files.length,
      copies: parts.filter(({ part }) => part === "copy").length,
      stubs: parts.filter(({ part }) => part === "stub").length,
      setAside: files.filter(({ file }) => file.role === "set-aside").length,
      empty: files.filter(({ format }) => format === "empty").length,
    },
    projects: {
      total: projects.length,
      named,
      unknown: projects.length - named,
      knownBy: count(projects.map(({ knownBy }) => knownBy)),
      list: projects,
    },
    archive: examined.archive && { ...examined.archive, unkeptAtRisk: unknownOf(examined, atRisk) },
    atRisk,
    coverage: coverageOf(readCounts(files), [...examined.diagnostics, ...oddCounts(digests)]),
  };
}

function unknownOf({ foreseen }: Examined, atRisk: readonly AtRisk[]): number {
  const known = new Set(atRisk.flatMap((one) => one.files));
  return foreseen.filter((files) => !files.some((path) => known.has(path))).length;
}

function projectsOf(digests: readonly Digest[]): ExaminedProject[] {
  const projects = digests.map(({ summary }) => summary.project);
  const groups = [...groupBy(projects, ({ path, hash, name }) => path ?? hash ?? name).values()];
  return groups
    .flatMap((same) => same.slice(0, 1).map((first) => ({ ...first, sessions: same.length })))
    .toSorted((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1));
}

export function count(names: Iterable<string>): Count[] {
  const groups = [...groupBy(names, (name) => name)];
  return groups
    .map(([name, same]) => ({ name, count: same.length }))
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** Token counts that were read in another way than they stand there. */
function oddCounts(digests: readonly Digest[]): Diagnostic[] {
  return digests.flatMap(({ usage }) => usage.flatMap(oddDiagnostics));
}
