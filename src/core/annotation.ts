export const ANNOTATION_KINDS = ["star", "tag", "note", "title"] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** What a person put on a session, or on one of its messages: kept, and never read from a file. */
export interface Annotation {
  source: string;
  sessionId: string;
  /** Absent: it is on the session itself. */
  messageId?: string;
  kind: AnnotationKind;
  /** The tag, the note or the title; empty for a star. */
  text: string;
  changedMs: number;
}

/** Puts an annotation there, or takes it away. */
export interface AnnotationChange extends Omit<Annotation, "changedMs"> {
  how: "set" | "removed";
}

/** All that a person put on one thing. */
export interface OwnLayer {
  isStarred: boolean;
  tags: string[];
  note: string | null;
  title: string | null;
}

/** A thing has any number of tags, and one of everything else: what tells its annotations apart. */
export function tagOf({ kind, text }: Pick<Annotation, "kind" | "text">): string {
  return kind === "tag" ? text : "";
}

/** Nothing, when there are no annotations. */
export function ownLayerOf(annotations: readonly Annotation[]): OwnLayer | undefined {
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

/** As lists give them. */
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
