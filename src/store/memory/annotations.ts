import type { Annotation, AnnotationChange } from "../../core/session/annotation.ts";
import { compareAnnotations, tagOf } from "../../core/session/annotation.ts";

/** Users' annotations of sessions and messages. */
export class Annotations {
  readonly #all = new Map<string, AnnotationChange & { changedMs: number }>();

  change(changes: readonly AnnotationChange[], nowMs: number): void {
    for (const change of changes) {
      const { source, sessionId, messageId = "", kind } = change;
      const key = JSON.stringify([source, sessionId, messageId, kind, tagOf(change)]);
      if ((this.#all.get(key)?.changedMs ?? nowMs) > nowMs) continue;
      this.#all.set(key, { ...change, changedMs: nowMs });
    }
  }

  list(sessionIds?: readonly string[]): Annotation[] {
    return [...this.#all.values()]
      .filter(({ how, sessionId }) => how === "set" && sessionIds?.includes(sessionId) !== false)
      .map(({ how: _set, ...annotation }) => annotation)
      .toSorted(compareAnnotations);
  }

  forget(source: string, sessionId: string): void {
    for (const [key, each] of this.#all) {
      if (each.source === source && each.sessionId === sessionId) this.#all.delete(key);
    }
  }
}
