import type { Annotation } from "../core/annotation.ts";
import { ownLayerOf } from "../core/annotation.ts";
import { groupBy } from "../core/group.ts";
import { keyOf } from "../core/links.ts";
import type { SessionRow } from "../core/session-rows.ts";

/** Rows with what a person put on them. */
export function withOwnLayers<Row extends SessionRow>(
  rows: readonly Row[],
  annotations: readonly Annotation[],
): Row[] {
  const onSessions = annotations.filter(({ messageId }) => messageId === undefined);
  const groups = groupBy(onSessions, ({ source, sessionId }) => keyOf(source, sessionId));
  return rows.map((row) => {
    const { summary } = row;
    const own = ownLayerOf(groups.get(keyOf(summary.source, summary.id)) ?? []);
    return own ? { ...row, summary: { ...summary, own } } : row;
  });
}

/** In lists, a title of one's own takes the place of the recorded one. */
export function withOwnTitle<Row extends SessionRow>(row: Row): Row {
  const { summary } = row;
  const title = summary.own?.title ?? summary.title;
  return title === summary.title ? row : { ...row, summary: { ...summary, title } };
}

/** By the key of the session, titles that people gave. */
export function ownTitles(annotations: readonly Annotation[]): Map<string, string> {
  const titles = annotations.filter(({ kind, messageId }) => {
    return kind === "title" && messageId === undefined;
  });
  return new Map(titles.map(({ source, sessionId, text }) => [keyOf(source, sessionId), text]));
}
