import { compareTexts } from "../../core/lists.ts";
import type { Retention, ExpiringCount } from "../../core/files/expiry.ts";
import type { Deletion } from "./deletion.ts";
import { deletionSummary } from "./deletion.ts";
import type { FileCount, StoredCoverage } from "../../core/files/coverage.ts";
import type { ProjectAnswer } from "../../core/rows/summary.ts";
import type { UsageFact } from "../../core/usage/usage-fact.ts";
import type { Coverage } from "../coverage.ts";
import { coverageOf, sessionFiles } from "../coverage.ts";
import { oddDiagnostics, sharedDiagnostic, unequalDiagnostic } from "./odd-counts.ts";
import type { SessionAtRisk } from "./retention-risk.ts";

export interface Sending {
  server: string;
  team: string;
  lastAt: string | null;
}

/** What was examined, how it was interpreted, what was not understood, and what may be lost. */
export interface DoctorAnswer {
  /** The team server that this machine sends to; `null` if it sends nothing. */
  sending: Sending | null;
  roots: ExaminedRoot[];
  /** The same by agent; agents without files are left out. */
  agents: ExaminedAgent[];
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
  /** Most urgent first. */
  atRisk: SessionAtRisk[];
  deletion: Deletion;
  /** `null` if there is no archive. */
  archive: ArchiveHealth | null;
  coverage: Coverage;
}

export interface ExaminedRoot {
  source: string;
  path: string;
  because: string;
  isFound: boolean;
  files: number;
  retention: Retention;
}

export interface ExaminedAgent {
  source: string;
  name: string;
  files: number;
  read: number;
  /** Files with records that could not be read. */
  damaged: number;
  sessions: { main: number; subagent: number };
  generations: Count[];
}

/** Compares the archive with the disk. */
export interface ArchiveHealth {
  path: string;
  lookedAt: string | null;
  keptFiles: number;
  unkeptFiles: number;
  /** Sessions that will be deleted and are not kept at all, so no other answer includes them. */
  unkeptAtRisk: number;
  goneSessions: number;
  /** Kept bytes that do not match their digest; `null` if they were not verified. */
  problems: { what: string; files: string[] }[] | null;
}

export interface ExaminedProject extends ProjectAnswer {
  sessions: number;
}

export interface Count {
  name: string;
  count: number;
}

export interface Examined {
  sending: Sending | null;
  roots: readonly Omit<ExaminedRoot, "files">[];
  sourceNames: ReadonlyMap<string, string>;
  coverage: StoredCoverage;
  savedChats: number;
  promptLogsOnly: number;
  /** Replies whose recorded counts do not add up. */
  odd: readonly UsageFact[];
  /** Replies that share a message id with replies of other sessions. */
  shared: readonly UsageFact[];
  /** Copies of replies whose counts differ from the counted reply. */
  unequal: readonly UsageFact[];
  atRisk: SessionAtRisk[];
  /** Of all sessions at risk; `atRisk` may be only the first of them. */
  counts: readonly ExpiringCount[];
  archive: Omit<ArchiveHealth, "unkeptAtRisk"> | null;
  /** Files of sessions that will be deleted and whose current version is not kept, by session. */
  unkeptFiles: readonly (readonly string[])[];
}

export function examine(examined: Examined): DoctorAnswer {
  const { coverage, atRisk, archive } = examined;
  const { sessions, projects, parts } = coverage;
  const files = sessionFiles(coverage);
  const unkeptAtRisk = unknownOf(examined, atRisk);
  const named = projects.filter(({ project }) => project.path !== null).length;
  const partsOf = (name: string): number => sum(parts.filter(({ part }) => part === name));
  return {
    sending: examined.sending,
    roots: examined.roots.map((root) => {
      return { ...root, files: sum(files.filter((group) => group.root === root.path)) };
    }),
    agents: [...examined.sourceNames].flatMap(([source, name]) => {
      const agent = agentOf(source, name, coverage);
      return agent.files > 0 || agent.sessions.main + agent.sessions.subagent > 0 ? [agent] : [];
    }),
    formats: countBy(files, ({ format }) => format),
    generations: countBy(files, ({ generation }) => generation),
    sessions: {
      ...kindsOf(sessions),
      savedChats: examined.savedChats,
      promptLogsOnly: examined.promptLogsOnly,
    },
    files: {
      total: sum(files),
      copies: partsOf("copy"),
      stubs: partsOf("stub"),
      setAside: sum(files.filter(({ role }) => role === "set-aside")),
      empty: sum(files.filter(({ format }) => format === "empty")),
    },
    projects: {
      total: projects.length,
      named,
      unknown: projects.length - named,
      knownBy: countNames(projects.map(({ project }) => ({ name: project.knownBy, count: 1 }))),
      list: projects.map(({ project, sessions: count }) => ({ ...project, sessions: count })),
    },
    archive: archive && { ...archive, unkeptAtRisk },
    atRisk,
    deletion: deletionSummary(examined.counts, examined.sourceNames, unkeptAtRisk),
    coverage: coverageOf(coverage, [
      ...examined.odd.flatMap(oddDiagnostics),
      ...examined.shared.map(sharedDiagnostic),
      ...examined.unequal.map(unequalDiagnostic),
    ]),
  };
}

function unknownOf({ unkeptFiles }: Examined, atRisk: readonly SessionAtRisk[]): number {
  const known = new Set(atRisk.flatMap((risk) => risk.files));
  return unkeptFiles.filter((files) => !files.some((path) => known.has(path))).length;
}

function agentOf(source: string, name: string, coverage: StoredCoverage): ExaminedAgent {
  const files = sessionFiles(coverage).filter((group) => group.source === source);
  const sessions = coverage.sessions.filter((group) => group.source === source);
  const roots = [...new Set(files.map(({ root }) => root))];
  const damage = coverage.diagnostics.filter(({ severity, file }) => {
    return severity === "damage" && roots.some((root) => file.startsWith(root));
  });
  return {
    source,
    name,
    files: sum(files),
    read: sum(files.filter(({ isRead }) => isRead)),
    damaged: new Set(damage.map(({ file }) => file)).size,
    sessions: kindsOf(sessions),
    generations: countBy(files, ({ generation }) => generation),
  };
}

function kindsOf(sessions: StoredCoverage["sessions"]): { main: number; subagent: number } {
  const count = (kind: "main" | "subagent"): number =>
    sessions.reduce((all, group) => (group.kind === kind ? all + group.sessions : all), 0);
  return { main: count("main"), subagent: count("subagent") };
}

function sum(groups: readonly { files: number }[]): number {
  return groups.reduce((all, { files }) => all + files, 0);
}

function countBy(files: readonly FileCount[], nameOf: (group: FileCount) => string): Count[] {
  return countNames(files.map((group) => ({ name: nameOf(group), count: group.files })));
}

/** Highest count first. */
function countNames(counts: readonly Count[]): Count[] {
  const sums = new Map<string, number>();
  for (const { name, count } of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count || compareTexts(a.name, b.name));
}
