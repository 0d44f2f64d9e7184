import { groupBy } from "../../../core/group.ts";
import type { SessionContent } from "../../../core/session/session.ts";
import type { DecodedFile, Depth } from "../../source.ts";
import { totalsOfSession } from "../totals.ts";
import type { ProcessTotals, QwenContent } from "../content.ts";
import { sessionsOfDocuments } from "./documents.ts";
import { sessionOfTotals } from "./only-totals.ts";
import { stemOf } from "../names.ts";
import { sessionsOfRecords } from "./records.ts";
import type { RecordFile } from "./tree.ts";

type QwenFile = DecodedFile<QwenContent>;

/**
 * Makes sessions from the files of a group: a conversation with its agents, the documents of one
 * id, and the totals of processes whose session has no file.
 */
export function interpret(files: readonly QwenFile[], depth: Depth): SessionContent[] {
  const totals = files.flatMap((file) => (file.content.kind === "totals" ? file : []));
  const groups = groupBy(files.filter(isRecords), sessionIdOf);
  const sessions = [...groups].flatMap(([id, group]) => {
    const lines = linesOf(id, group, totals);
    return sessionsOfRecords({ id, files: group, lines }, depth);
  });
  const documents = sessionsOfDocuments(files);
  const known = new Set([...sessions, ...documents].map(({ id }) => id));
  return [...sessions, ...documents, ...sessionOfTotals(totals, known)];
}

function isRecords(file: QwenFile): file is RecordFile {
  return file.content.kind === "records" && file.content.entries.length > 0;
}

/** Files of agents have the id of their parent session. */
function sessionIdOf({ file, content }: RecordFile): string {
  return content.facts.sessionId ?? file.parentId ?? stemOf(file);
}

/**
 * Collects the totals of a session, each line once; they may be in another root than the session.
 */
function linesOf(
  id: string,
  files: readonly RecordFile[],
  totals: readonly QwenFile[],
): ProcessTotals[] {
  const own = totals.flatMap(({ content }) => (content.kind === "totals" ? content.lines : []));
  const near = files.flatMap(({ home }) => totalsOfSession(home, id));
  const all = [...own.filter(({ sessionId }) => sessionId === id), ...near];
  return [...new Map(all.map((line) => [`${line.startMs}-${line.endMs}`, line])).values()];
}
