import type { Diagnostic } from "../../core/files/diagnostic.ts";
import { groupBy } from "../../core/group.ts";
import type { ArchiveHealth, Count, DoctorAnswer } from "../../queries/doctor/doctor.ts";
import type { SessionAtRisk } from "../../queries/doctor/retention-risk.ts";
import { counted, dayOfMoment, exact, fullMoment } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { shownIds } from "./session-list.ts";
import { sendingSentence } from "./sync.ts";
import type { Column } from "./table.ts";
import { tableLines } from "./table.ts";
import { wrap } from "./width.ts";
import type { View } from "./view.ts";

export interface DoctorView extends View {
  /** Maximum number of complaints of each kind. */
  most: number;
}

const NAME_WIDTH = 11;

/** The report for people: names on the left, values on the right. */
export function doctorLines(answer: DoctorAnswer, view: DoctorView): string[] {
  const { agents, generations, files } = answer;
  // The totals below say the same of a single agent, and versions of several are not comparable.
  const isOfOne = agents.length < 2;
  const unseen = answer.archive?.unkeptAtRisk ?? 0;
  return [
    ...fact("sends", sendingSentence(answer), view),
    ...rootLines(answer.roots, view),
    ...(isOfOne ? [] : agentLines(answer, view)),
    ...fact("sessions", sessionCounts(answer), view),
    ...fact("files", fileCounts(answer), view),
    ...(isOfOne && generations.length > 0 ? fact("written by", countsOf(generations), view) : []),
    ...(answer.projects.total > 0 ? projectLines(answer, view) : []),
    ...(files.total + unseen > 0 ? riskLines(answer, view) : []),
    ...archiveLines(answer, view),
    ...complaintLines(answer, view),
  ];
}

export function fact(name: string, text: string, { columns, style }: DoctorView): string[] {
  return wrap(text, columns - NAME_WIDTH).map((line, at) => {
    const head = (at === 0 ? name : "").padEnd(NAME_WIDTH);
    return `${style.bold(head)}${line}`;
  });
}

const MOST_ROOTS = 8;

function rootLines(roots: DoctorAnswer["roots"], view: DoctorView): string[] {
  const shown = view.most === Infinity ? roots : roots.slice(0, MOST_ROOTS);
  return [
    ...shown.flatMap((root, at) => {
      const { path, because } = root;
      const place = `${homePath(path)} (${safeLine(because)})`;
      const state = fact("", rootState(root), view).map((line) => view.style.dim(line));
      return [...fact(at === 0 ? "roots" : "", place, view), ...state];
    }),
    ...moreLines(roots.length - shown.length, view),
  ];
}

function rootState({ isFound, files, retention }: DoctorAnswer["roots"][0]): string {
  if (!isFound) return "does not exist";
  const { isEnabled, isSubagentsOnly, maxAgeDays, from } = retention;
  const after = maxAgeDays === undefined ? "" : ` after ${counted(maxAgeDays, "day")}`;
  const what = isSubagentsOnly ? "subagent sessions" : "sessions";
  const rule = isEnabled ? `deletes ${what}${after}` : "deletes no sessions";
  return `${counted(files, "session file")}, ${rule} (${homePath(from)})`;
}

function agentLines({ agents }: DoctorAnswer, view: DoctorView): string[] {
  return agents.flatMap(({ name, files, read, damaged, sessions, generations }, at) => {
    const { main, subagent } = sessions;
    const parts = [
      `${counted(main, "session")}${subagent > 0 ? `, ${counted(subagent, "subagent")}` : ""}`,
      `${exact(read)} of ${counted(files, "file")} read`,
      ...(damaged > 0 ? [`${exact(damaged)} with damage`] : []),
      ...(generations.length > 0 ? [`written by ${countsOf(generations)}`] : []),
    ];
    return fact(at === 0 ? "agents" : "", `${safeLine(name)}: ${parts.join("; ")}`, view);
  });
}

function sessionCounts({ sessions }: DoctorAnswer): string {
  const { main, subagent, savedChats, promptLogsOnly } = sessions;
  const parts = [`${exact(main)} main`, `${exact(subagent)} subagent`];
  if (savedChats > 0) parts.push(counted(savedChats, "saved chat"));
  if (promptLogsOnly > 0) parts.push(`${exact(promptLogsOnly)} with only the prompts left`);
  return parts.join(", ");
}

function fileCounts({ files, formats, coverage }: DoctorAnswer): string {
  const { copies, stubs, setAside, empty } = files;
  const parts = [`${exact(coverage.read)} of ${exact(files.total)} read`];
  if (formats.length > 0) parts.push(countsOf(formats));
  if (copies > 0) parts.push(counted(copies, "copy", "copies"));
  if (stubs > 0) parts.push(counted(stubs, "stub"));
  if (setAside > 0) parts.push(`${exact(setAside)} set aside`);
  if (empty > 0) parts.push(`${exact(empty)} empty`);
  return parts.join("; ");
}

function countsOf(counts: readonly Count[]): string {
  return counts.map(({ name, count }) => `${safeLine(name)} (${exact(count)})`).join(", ");
}

const MOST_PROJECTS = 8;

function projectLines({ projects }: DoctorAnswer, view: DoctorView): string[] {
  const { total, named, unknown, list } = projects;
  const counts = [`${exact(named)} with their path`];
  if (unknown > 0) counts.push(`${exact(unknown)} known only by hash or folder name`);
  const { style } = view;
  const table: Column<(typeof list)[0]>[] = [
    { title: "project", text: ({ name }) => safeLine(name), least: 12, most: 32 },
    { title: "sessions", text: ({ sessions }) => exact(sessions), align: "right" },
    { title: "named by", text: ({ knownBy }) => knownBy.replaceAll("-", " "), rank: 2 },
    {
      title: "path",
      text: ({ path }) => (path === null ? "–" : homePath(path)),
      least: 16,
      rank: 1,
    },
  ];
  const most = view.most === Infinity ? list.length : MOST_PROJECTS;
  return [
    ...fact("projects", `${exact(total)}: ${counts.join(", ")}`, view),
    ...indented(tableLines(list.slice(0, most), table, inner(view))).map((line) => style.dim(line)),
    ...moreLines(list.length - most, view),
  ];
}

function inner({ columns, style }: DoctorView): View {
  return { columns: columns - NAME_WIDTH, style };
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => " ".repeat(NAME_WIDTH) + line);
}

function moreLines(more: number, view: DoctorView): string[] {
  return more > 0 ? fact("", `and ${exact(more)} more: --rejects lists all`, view) : [];
}

const MOST_AT_RISK = 10;

/** Sessions that would be lost come first; many sessions are grouped by project. */
function riskLines({ atRisk, deletion }: DoctorAnswer, view: DoctorView): string[] {
  const { style } = view;
  const { tone, message } = deletion;
  const loud = style.yellow(message.replace(/\.$/, ": `pollux keep`"));
  const head = fact("at risk", tone === "loud" ? loud : message, view);
  if (atRisk.length > MOST_AT_RISK && view.most !== Infinity) {
    const more = fact("", style.dim("--rejects lists every session"), view);
    return [...head, ...indented(groupedRisks(atRisk, view)), ...more];
  }
  return [...head, ...(atRisk.length === 0 ? [] : indented(riskTable(atRisk, view)))];
}

interface RiskGroup {
  project: string;
  sessions: readonly SessionAtRisk[];
}

const MOST_GROUPS = 12;

function groupedRisks(atRisk: readonly SessionAtRisk[], view: DoctorView): string[] {
  const groups = [...groupBy(atRisk, ({ project }) => project)]
    .map(([project, sessions]): RiskGroup => ({ project, sessions }))
    .toSorted((a, b) => unkeptIn(b) - unkeptIn(a) || b.sessions.length - a.sessions.length);
  const table: Column<RiskGroup>[] = [
    { title: "project", text: ({ project }) => safeLine(project), least: 9, most: 30 },
    { title: "sessions", text: ({ sessions }) => exact(sessions.length), align: "right" },
    { title: "not archived", text: (group) => exact(unkeptIn(group)), align: "right" },
    { title: "first", text: ({ sessions: [first] }) => (first ? riskText(first) : "") },
  ];
  const more = groups.length - MOST_GROUPS;
  return [
    ...tableLines(groups.slice(0, MOST_GROUPS), table, inner(view)),
    ...(more > 0 ? [`and ${counted(more, "more project")}`] : []),
  ];
}

function unkeptIn({ sessions }: RiskGroup): number {
  return sessions.filter(({ isKept }) => !isKept).length;
}

function riskTable(atRisk: readonly SessionAtRisk[], view: DoctorView): string[] {
  const { style } = view;
  const ids = shownIds(atRisk.map(({ sessionId }) => sessionId));
  const table: Column<SessionAtRisk>[] = [
    {
      title: "id",
      text: ({ sessionId }) => ids.get(sessionId) ?? "",
      paint: (text) => style.cyan(text),
    },
    { title: "last active", text: lastActive, brief: { text: lastDay }, rank: 1 },
    { title: "project", text: ({ project }) => safeLine(project), least: 9, most: 24, rank: 3 },
    { title: "when", text: riskText, brief: { least: 12 } },
    { title: "title", text: titleText, least: 16, rank: 2 },
  ];
  return tableLines(atRisk, table, inner(view));
}

const lastActive = ({ updatedAt }: SessionAtRisk): string => fullMoment(updatedAt);
const lastDay = ({ updatedAt }: SessionAtRisk): string => dayOfMoment(updatedAt);
const titleText = ({ title }: SessionAtRisk): string => safeLine((title ?? "–").slice(0, 200));

function archiveLines({ archive, atRisk }: DoctorAnswer, view: DoctorView): string[] {
  if (archive === null) {
    const none = "none: sessions that agents delete are lost. `pollux keep` creates one";
    return fact("archive", atRisk.length > 0 ? view.style.yellow(none) : none, view);
  }
  const { path, keptFiles, unkeptFiles, goneSessions, lookedAt } = archive;
  const parts = [
    `${counted(keptFiles, "file")} archived`,
    unkeptFiles > 0 ? `${exact(unkeptFiles)} not archived in their current state` : "",
    goneSessions > 0 ? `${counted(goneSessions, "session")} only in the archive` : "",
  ].filter((item) => item !== "");
  const state = parts.join(", ");
  // If everything is kept, the last look was just now and need not be shown.
  const late = view.style.yellow(`${state}; last checked ${fullMoment(lookedAt)}`);
  return [
    ...fact("archive", homePath(path), view),
    ...fact("", unkeptFiles > 0 ? late : state, view),
    ...problemLines(archive.problems, view),
  ];
}

function problemLines(problems: ArchiveHealth["problems"], view: DoctorView): string[] {
  const { style, most } = view;
  if (problems === null) {
    return fact("", "archived bytes not checked: run `pollux archive verify`", view);
  }
  const shown = problems.slice(0, most).flatMap(({ what, files }) => {
    const about = files.slice(0, most).map(homePath).join(", ");
    return fact("", style.red(safeLine(about === "" ? what : `${what} (${about})`)), view);
  });
  const more = problems.length - Math.min(most, problems.length);
  const rest = more > 0 ? fact("", `and ${exact(more)} more: \`pollux archive verify\``, view) : [];
  return [...shown, ...rest];
}

function riskText({ why, daysLeft }: SessionAtRisk): string {
  if (why === "resume-stub") return "next start, with its stub";
  if (why === "count") return "next start, over limit";
  return daysLeft === null || daysLeft <= 0 ? "next start" : `in ${counted(daysLeft, "day")}`;
}

/** Problems with files and with their kept copies; the archive lines describe the latter. */
function complaintLines({ coverage, archive }: DoctorAnswer, view: DoctorView): string[] {
  const { style } = view;
  const { diagnostics, damaged } = coverage;
  const broken = archive?.problems?.length ?? 0;
  if (diagnostics.length + broken === 0) {
    const what = archive?.problems === null ? "none in session files" : "none: everything was read";
    return fact("damage", what, view);
  }
  const inArchive = broken > 0 ? `${counted(broken, "problem")} in the archive (see above); ` : "";
  const inFiles = `${counted(damaged, "file")} with damage, ${counted(diagnostics.length, "remark")}`;
  const total = `${inArchive}${inFiles}`;
  const groups = [...groupBy(diagnostics, ({ severity, code }) => `${severity} ${code}`).values()];
  const lines = groups.toSorted(bySeverity).flatMap((same) => groupLines(same, view));
  return [...fact("damage", damaged + broken > 0 ? style.yellow(total) : total, view), ...lines];
}

const SEVERITIES: readonly string[] = ["damage", "repair", "notice"];

function bySeverity(a: readonly Diagnostic[], b: readonly Diagnostic[]): number {
  return SEVERITIES.indexOf(a[0]?.severity ?? "") - SEVERITIES.indexOf(b[0]?.severity ?? "");
}

function groupLines(same: readonly Diagnostic[], view: DoctorView): string[] {
  const [first] = same;
  if (!first) return [];
  const { style, most } = view;
  const paint =
    first.severity === "damage" ? style.yellow(first.severity) : style.dim(first.severity);
  const shown = same.slice(0, most).flatMap((item) => {
    const place = `${homePath(item.file)}${item.line === undefined ? "" : `:${item.line}`}`;
    return [
      `  ${place}`,
      ...wrap(safeLine(item.message), view.columns - 4).map((line) => style.dim(`    ${line}`)),
    ];
  });
  const more = same.length - most;
  const rest = more > 0 ? [style.dim(`  and ${exact(more)} more: --rejects lists all`)] : [];
  return ["", `${paint} ${safeLine(first.code)}, ${exact(same.length)}`, ...shown, ...rest];
}
