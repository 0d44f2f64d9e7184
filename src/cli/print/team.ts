import type { LakeAnswer } from "../../library/team/team-lake.ts";
import type { PersonAnswer, TeamReport } from "../../library/team/team.ts";
import type { VerifyReport } from "../../store/store.ts";
import type { Person, Receipt, TeamPolicy } from "../../store/team.ts";
import type { ErasureReceipt } from "../../team/erase.ts";
import { counted, exact, fullMoment, size } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { tableLines } from "./table.ts";
import { factLine } from "./width.ts";
import type { View } from "./view.ts";
import { totalBytes } from "../../core/files/session-file.ts";

/** What `--json` prints, by action. */
export type TeamAnswer =
  | { name: string; unread?: number }
  | (TeamReport & { verified?: VerifyReport })
  | { sessions: number }
  | { people: PersonAnswer[] }
  | TeamPolicy
  | { subject: string }
  | ErasureReceipt
  | { receipts: Receipt[] }
  | LakeAnswer
  | Person
  | { code: string; expiresMs: number };

export function teamLines(report: TeamReport, { style }: View): string[] {
  const fact = (name: string, text: string): string => factLine(name, text, style);
  const { policy, devices } = report;
  const masked = policy.masked ? ", secrets masked" : "";
  const silent = devices.silent === 0 ? "" : `, ${exact(devices.silent)} silent for a week`;
  return [
    fact("team", `${safeLine(report.name)} in ${safeLine(report.location)}`),
    fact(
      "bytes",
      `in ${report.bytesPlace === null ? "the database" : safeLine(report.bytesPlace)}`,
    ),
    fact("sent", `${policy.level}${policy.level === "full" ? masked : ""}`),
    fact("people", exact(report.people)),
    fact("machines", `${exact(devices.active)}${silent}`),
    fact("sessions", exact(report.sessions)),
    fact("unread", counted(report.unread, "file")),
    ...report.remarks.map((remark) => style.yellow(safeLine(remark))),
  ];
}

export function peopleLines(people: readonly PersonAnswer[], view: View): string[] {
  if (people.length === 0) return ["No people yet. Add one: `pollux team add ada@example.com`."];
  return tableLines(
    people,
    [
      { title: "WHO", text: ({ subject }) => safeLine(subject), least: 24 },
      { title: "NAME", text: ({ name }) => safeLine(name), least: 6, rank: 3 },
      { title: "TEAMS", text: ({ teams }) => teams.map(safeLine).join(", "), least: 6, rank: 2 },
      { title: "ROLES", text: rolesOf, rank: 1 },
      { title: "MACHINES", text: ({ devices }) => exact(devices.length), align: "right" },
      { title: "SESSIONS", text: ({ sessions }) => exact(sessions), align: "right" },
    ],
    view,
  );
}

function rolesOf({ roles, leftMs }: PersonAnswer): string {
  return leftMs === undefined ? roles.join(", ") : "has left";
}

export function policyLines(policy: TeamPolicy): string[] {
  const { level, mayLower, masked, smallestGroup, retentionDays, conversationDays } = policy;
  const less = mayLower ? "people may send less" : "required from everybody";
  const term = (days: number | undefined): string => {
    return days === undefined ? "forever" : `for ${counted(days, "day")}`;
  };
  const text = conversationDays === undefined ? "" : `; conversations ${term(conversationDays)}`;
  return [
    `sent       ${level}${level === "full" && masked ? ", secrets masked" : ""}; ${less}`,
    `shown      sums of at least ${counted(smallestGroup, "person", "people")}`,
    `kept       ${term(retentionDays)}${text}; records of accesses ${term(policy.auditDays)}`,
  ];
}

export function receiptLines(receipts: readonly Receipt[]): string[] {
  if (receipts.length === 0) return ["Nothing was erased yet."];
  return receipts.flatMap((receipt) => {
    const { id, kind, atMs, by } = receipt;
    const whom = by === null ? "" : ` by ${safeLine(by)}`;
    const when = fullMoment(new Date(atMs).toISOString());
    return [`receipt ${id}, ${kind}${whom}, ${when}:`, ...countLines(receipt)];
  });
}

/** What was removed, and how much of it. */
export function countLines({ counts }: Pick<Receipt, "counts">): string[] {
  return Object.entries(counts).map(([name, count]) => `  ${name}: ${exact(count)}`);
}

export function lakeLines({ folder, files, withheld }: LakeAnswer): string[] {
  const bytes = totalBytes(files);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const wrote = `${counted(files.length, "file")} with ${counted(rows, "row")}, ${size(bytes)}`;
  return [
    files.length === 0 ? "Nothing to write." : `${homePath(folder)}: ${wrote}.`,
    ...withheld.map(({ table, month }) => {
      return `  ${table} of ${month}: withheld, because it covers too few people`;
    }),
  ];
}
