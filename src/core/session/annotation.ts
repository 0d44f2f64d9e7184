export const ANNOTATION_KINDS = ["star", "tag", "note", "title"] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/**
 * A star, tag, note or title that a user added to a session or to one of its messages. It exists
 * only in the store, never in an agent's files.
 */
export interface Annotation {
  source: string;
  sessionId: string;
  /** Absent if the annotation is on the session itself. */
  messageId?: string;
  kind: AnnotationKind;
  /** The tag, the note or the title; empty for a star. */
  text: string;
  changedMs: number;
}

/** Adds or removes an annotation. */
export interface AnnotationChange extends Omit<Annotation, "changedMs"> {
  how: "set" | "removed";
}

/** All annotations of one session or message. */
export interface UserAnnotations {
  isStarred: boolean;
  tags: string[];
  note: string | null;
  title: string | null;
}

/**
 * Distinguishes annotations of the same kind. A session or message has any number of tags but only
 * one star, note and title, so only tags are keyed by their text.
 */
export function tagOf({ kind, text }: Pick<Annotation, "kind" | "text">): string {
  return kind === "tag" ? text : "";
}

/** Returns undefined if there are no annotations. */
export function userAnnotationsOf(annotations: readonly Annotation[]): UserAnnotations | undefined {
  if (annotations.length === 0) return undefined;
  const textOf = (kind: AnnotationKind): string | null =>
    annotations.find((each) => each.kind === kind)?.text ?? null;
  return {
    isStarred: textOf("star") !== null,
    tags: annotations.flatMap(({ kind, text }) => (kind === "tag" ? [text] : [])).toSorted(),
    note: textOf("note"),
    title: textOf("title"),
  };
}

/** The order of annotations in lists. */
export function compareAnnotations(a: Annotation, b: Annotation): number {
  const [left, right] = [orderOf(a), orderOf(b)];
  for (const [at, text] of left.entries()) {
    const other = right[at] ?? "";
    if (text !== other) return text < other ? -1 : 1;
  }
  return 0;
}

function orderOf(annotation: Annotation): string[] {
  const { source, sessionId, messageId = "", kind } = annotation;
  return [source, sessionId, messageId, kind, tagOf(annotation)];
}
