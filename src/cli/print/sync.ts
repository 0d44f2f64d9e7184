import type { SyncAnswer, SyncPlan, SyncStatus } from "../../library/sync.ts";
import type { DoctorAnswer, Sending } from "../../queries/doctor/doctor.ts";
import { counted, fullMoment, size } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import type { Style } from "./style.ts";
import { factLine } from "./width.ts";
import { totalBytes } from "../../core/files/session-file.ts";

const NOTHING_LEAVES = "nothing leaves this machine";

function syncSentence({ isEnrolled, server, team, lastAt }: SyncStatus): string {
  if (!isEnrolled) return NOTHING_LEAVES;
  return `sends ${targetOf({ server: server ?? "", team: team ?? "", lastAt })}`;
}

/** The first line of `doctor`: whether anything leaves this machine. */
export function sendingSentence({ sending, archive }: DoctorAnswer): string {
  if (!sending && archive !== null && isElsewhere(archive.path)) {
    return `to the database that is the archive: ${safeLine(archive.path)}`;
  }
  return sending ? targetOf(sending) : NOTHING_LEAVES;
}

function targetOf({ server, team, lastAt }: Sending): string {
  const last = lastAt === null ? "nothing sent yet" : `last sent ${fullMoment(lastAt)}`;
  return `to ${safeLine(server)} (${safeLine(team)}); ${last}`;
}

/** True for a database on another machine. */
function isElsewhere(path: string): boolean {
  const url = /^postgres(ql)?:/.test(path) && URL.canParse(path) ? new URL(path) : undefined;
  const host = url?.searchParams.get("host") ?? url?.hostname ?? "";
  return host !== "" && !/^(\/|localhost$|127\.|\[?::1)/.test(host);
}

export function statusLines(status: SyncStatus, { style }: { style: Style }): string[] {
  const fact = (name: string, text: string): string => factLine(name, text, style);
  const { isEnrolled, level, projects, expiresAt } = status;
  const first = fact("sync", syncSentence(status));
  if (!isEnrolled)
    return [first, style.dim("To enrol this machine: `pollux sync enrol CODE --to URL`.")];
  return [
    first,
    fact("level", level ?? "as set by the team"),
    ...projects.map((each) => fact("", `${homePath(each.project)}: ${each.level}`)),
    ...(expiresAt === null ? [] : [fact("until", `${fullMoment(expiresAt)}; then enrol again`)]),
  ];
}

export function sentLines(answer: SyncAnswer): string[] {
  const { contents, bytes, rowsOnly, withheld, lowered, tooLarge, team } = answer;
  const what = [
    ...(contents > 0 ? [`${counted(contents, "file")}, ${size(bytes)} packed`] : []),
    ...(rowsOnly > 0 ? [`rows of ${counted(rowsOnly, "session")}`] : []),
  ];
  const kept = withheld === 0 ? [] : [`${counted(withheld, "session")} were not sent, as you set.`];
  if (lowered > 0) {
    kept.push(
      `${counted(lowered, "session")} stay on the server as sent before and are not updated.`,
    );
  }
  const news = what.length === 0 ? "already has everything." : `got ${what.join(" and ")}.`;
  const large = tooLarge.map((path) => `  ${homePath(path)}`);
  if (large.length > 0) large.unshift("Too large for the team's server, so only archived here:");
  return [`${safeLine(team)} ${news}`, ...kept, ...large];
}

/** Exactly what would be sent: every file by name, every row in full. */
export function planLines({ server, policy, files, sessions, withheld }: SyncPlan): string[] {
  const masked = policy.masked ? ", secrets masked" : "";
  const bytes = totalBytes(files);
  return [
    `To ${safeLine(server)} (${safeLine(policy.team)}):`,
    `${counted(files.length, "file")} in full${masked}, at most ${size(bytes)}:`,
    ...files.map(({ path, sizeBytes }) => `  ${size(sizeBytes).padStart(9)}  ${homePath(path)}`),
    `Rows of ${counted(sessions.length, "session")}:`,
    ...sessions.map((row) => `  ${safeLine(JSON.stringify(row))}`),
    `${counted(withheld, "session")} would not be sent.`,
    "Nothing was sent.",
  ];
}
