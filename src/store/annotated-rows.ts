import type { Annotation } from "../core/session/annotation.ts";
import { userAnnotationsOf } from "../core/session/annotation.ts";
import { groupBy } from "../core/group.ts";
import { keyOf } from "../core/session/links.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";

/** Adds users' annotations to session rows. */
export function withAnnotations<Row extends Pick<SessionRow, "summary">>(
  rows: readonly Row[],
  annotations: readonly Annotation[],
): Row[] {
  const onSessions = annotations.filter(({ messageId }) => messageId === undefined);
  const groups = groupBy(onSessions, ({ source, sessionId }) => keyOf(source, sessionId));
  return rows.map((row) => {
    const { summary } = row;
    const own = userAnnotationsOf(groups.get(keyOf(summary.source, summary.id)) ?? []);
    return own ? { ...row, summary: { ...summary, own } } : row;
  });
}

/** Replaces the recorded title by the user's title; used in lists. */
export function withOwnTitle<Row extends Pick<SessionRow, "summary">>(row: Row): Row {
  const { summary } = row;
  const title = summary.own?.title ?? summary.title;
  return title === summary.title ? row : { ...row, summary: { ...summary, title } };
}

/** Users' titles by session key. */
export function ownTitles(annotations: readonly Annotation[]): Map<string, string> {
  const titles = annotations.filter(({ kind, messageId }) => {
    return kind === "title" && messageId === undefined;
  });
  return new Map(titles.map(({ source, sessionId, text }) => [keyOf(source, sessionId), text]));
}
