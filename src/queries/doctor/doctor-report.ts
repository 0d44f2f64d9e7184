import type { Diagnostic } from "../../core/files/diagnostic.ts";
import type { Count, DoctorAnswer } from "./doctor.ts";

/** Versions and platform, printed at the top of the report. */
export interface ReportOrigin {
  pollux: string;
  node: string;
  system: string;
}

/**
 * A report that is safe to publish: counts and formats only. It has no paths, project names or
 * session text, and no diagnostic messages, because these may quote session text.
 */
export interface DoctorReport {
  origin: ReportOrigin;
  agents: { agent: string; files: number; read: number; damaged: number; versions: Count[] }[];
  formats: Count[];
  sessions: DoctorAnswer["sessions"];
  files: DoctorAnswer["files"];
  projects: { total: number; named: number; knownBy: Count[] };
  retention: { agent: string; isEnabled: boolean; isFound: boolean }[];
  kept: { files: number; unkept: number } | null;
  complaints: { code: string; severity: string; count: number; places: ReportPlace[] }[];
}

/** Files are numbered, because their names may reveal projects. */
interface ReportPlace {
  file: number;
  line: number | null;
  ending: string;
}

/** Other endings may be part of a name: a complaint can be about a folder. */
const SESSION_ENDING = /\.(?:json|jsonl|zst)$/;
/** Enough places to show the pattern of a complaint. */
const MOST_PLACES = 5;

export function doctorReport(answer: DoctorAnswer, origin: ReportOrigin): DoctorReport {
  const { agents, formats, sessions, files, projects, archive, coverage } = answer;
  return {
    origin,
    agents: agents.map(({ name, generations, files: found, read, damaged }) => {
      return { agent: name, files: found, read, damaged, versions: generations };
    }),
    formats,
    sessions,
    files,
    projects: { total: projects.total, named: projects.named, knownBy: projects.knownBy },
    retention: answer.roots.map(({ source, retention, isFound }) => {
      return { agent: source, isEnabled: retention.isEnabled, isFound };
    }),
    kept: archive && { files: archive.keptFiles, unkept: archive.unkeptFiles },
    complaints: complaintsOf(coverage.diagnostics),
  };
}

function complaintsOf(diagnostics: readonly Diagnostic[]): DoctorReport["complaints"] {
  const numbers = new Map<string, number>();
  const found = new Map<string, DoctorReport["complaints"][number]>();
  for (const { code, severity, file, line } of diagnostics) {
    const number = numbers.get(file) ?? numbers.size + 1;
    numbers.set(file, number);
    const key = `${code} ${severity}`;
    const complaint = found.get(key) ?? { code, severity, count: 0, places: [] };
    complaint.count += 1;
    const ending = SESSION_ENDING.exec(file)?.[0] ?? "";
    if (complaint.places.length < MOST_PLACES) {
      complaint.places.push({ file: number, line: line ?? null, ending });
    }
    found.set(key, complaint);
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count);
}

/** The report as text to paste into an issue. */
export function reportText(report: DoctorReport): string {
  const { origin, agents, sessions, files, projects, kept, complaints } = report;
  const lines = [
    `Pollux ${origin.pollux}, Node ${origin.node}, ${origin.system}`,
    "",
    "| agent | files | read | with damage | versions |",
    "|---|---|---|---|---|",
    ...agents.map(({ agent, files: found, read, damaged, versions }) => {
      const names = versions.map(({ name, count }) => `${name} (${count})`).join(", ");
      return `| ${agent} | ${found} | ${read} | ${damaged} | ${names} |`;
    }),
    "",
    `Sessions: main ${sessions.main}, subagents ${sessions.subagent}, ` +
      `saved chats ${sessions.savedChats}, only prompts left ${sessions.promptLogsOnly}`,
    `Session files: ${files.total}; of these copies ${files.copies}, stubs ${files.stubs}, ` +
      `set aside ${files.setAside}, empty ${files.empty}`,
    `Projects: ${projects.total}; with a known directory ${projects.named}`,
    kept ? `Archived files: ${kept.files}; not archived ${kept.unkept}` : "Nothing is archived.",
    "",
    ...(complaints.length === 0
      ? ["No complaints."]
      : ["| complaint | count | places |", "|---|---|---|"]),
    ...complaints.map(({ code, severity, count, places }) => {
      return `| ${code} (${severity}) | ${count} | ${places.map(placeText).join(", ")} |`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function placeText({ file, line, ending }: ReportPlace): string {
  return `file ${file}${ending}${line === null ? "" : `:${line}`}`;
}
