import { groupBy } from "../../../core/group.ts";
import { optional } from "../../../core/optional.ts";
import type { Session } from "../../../core/session.ts";
import type { DecodedFile } from "../../source.ts";
import type { ProcessTotals, QwenContent } from "../content.ts";
import type { SourceNames } from "./parts.ts";
import { newSession, projectAt, refOf } from "./parts.ts";
import { unrecordedOf } from "./unrecorded.ts";

type QwenFile = DecodedFile<QwenContent>;

/** Sessions of which only the totals of their processes tell: recording was switched off. */
export function sessionOfTotals(
  files: readonly QwenFile[],
  known: ReadonlySet<string>,
  names: SourceNames,
): Session[] {
  const lines = files.flatMap((file) => {
    const { content } = file;
    return content.kind === "totals" ? content.lines.map((line) => ({ file, line })) : [];
  });
  const lost = lines.filter(({ line }) => {
    return line.isWithoutFile === true && !known.has(line.sessionId);
  });
  return [...groupBy(lost, ({ line }) => line.sessionId)].map(([id, group]) => {
    return sessionOf(id, group, names);
  });
}

function sessionOf(
  id: string,
  group: readonly { file: QwenFile; line: ProcessTotals }[],
  names: SourceNames,
): Session {
  const lines = group.map(({ line }) => line);
  const files = [...new Set(group.map(({ file }) => file))];
  const project = lines.find((line) => line.project !== undefined)?.project;
  const startedAt = timeOf(Math.min(...lines.map(({ startMs }) => startMs)));
  const updatedAt = timeOf(Math.max(...lines.map(({ endMs }) => endMs)));
  const unknown = { name: "unknown", knownBy: "folder-name" } as const;
  return {
    ...newSession(id, names, project === undefined ? unknown : projectAt(project)),
    ...optional("startedAt", startedAt),
    ...optional("updatedAt", updatedAt),
    directories: project === undefined ? [] : [project],
    unrecorded: unrecordedOf(lines, undefined),
    files: files.map((file) => refOf(file, "whole", {})),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The clocks of some machines are wrong: a time must be one that a calendar has. */
function timeOf(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
