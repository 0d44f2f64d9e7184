import { largest, smallest } from "../../../core/lists.ts";
import { groupBy } from "../../../core/group.ts";
import { optional } from "../../../core/optional.ts";
import { projectAt } from "../../../core/session/project.ts";
import type { SessionContent } from "../../../core/session/session.ts";
import { emptySession } from "../../../core/session/session.ts";
import { fileRef } from "../../file-ref.ts";
import type { DecodedFile } from "../../source.ts";
import type { ProcessTotals, QwenContent } from "../content.ts";
import { unrecordedOf } from "./unrecorded.ts";

type QwenFile = DecodedFile<QwenContent>;

/** Makes sessions that exist only in the totals of their processes: recording was switched off. */
export function sessionOfTotals(
  files: readonly QwenFile[],
  known: ReadonlySet<string>,
): SessionContent[] {
  const lines = files.flatMap((file) => {
    const { content } = file;
    return content.kind === "totals" ? content.lines.map((line) => ({ file, line })) : [];
  });
  const lost = lines.filter(({ line }) => {
    return line.isWithoutFile === true && !known.has(line.sessionId);
  });
  return [...groupBy(lost, ({ line }) => line.sessionId)].map(([id, group]) => {
    return sessionOf(id, group);
  });
}

function sessionOf(
  id: string,
  group: readonly { file: QwenFile; line: ProcessTotals }[],
): SessionContent {
  const lines = group.map(({ line }) => line);
  const files = [...new Set(group.map(({ file }) => file))];
  const project = lines.find((line) => line.project !== undefined)?.project;
  const startedAt = timeOf(smallest(lines.map(({ startMs }) => startMs)));
  const updatedAt = timeOf(largest(lines.map(({ endMs }) => endMs)));
  const unknown = { name: "unknown", knownBy: "folder-name" } as const;
  return {
    ...emptySession(id, project === undefined ? unknown : projectAt(project)),
    ...optional("startedAt", startedAt),
    ...optional("updatedAt", updatedAt),
    directories: project === undefined ? [] : [project],
    unrecorded: unrecordedOf(lines, undefined),
    files: files.map((file) => fileRef(file, "whole")),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Returns undefined for an invalid time: some machines have wrong clocks. */
function timeOf(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
