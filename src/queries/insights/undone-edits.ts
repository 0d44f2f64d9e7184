import type { EditedPart } from "../../core/session/file-edit.ts";
import type { Evidence, Rule, WorkedSession } from "./rule.ts";
import { callsOf, evidenceOf, MOST_EVIDENCE, UsageSum } from "./rule.ts";

const THRESHOLD = { edits: 1 } as const;

/** Edits that a later edit of the same session reverted. */
export const undoneEdits: Rule = {
  id: "undone-edits",
  title: "Undone edits",
  rule: "An edit that a later edit of the same file in the same session reverted exactly.",
  threshold: THRESHOLD,
  advice: "Ask for a plan first, or state in advance what must not change.",
  begin() {
    const evidence: Evidence[] = [];
    let count = 0;
    return {
      add(session) {
        for (const { messageId, path } of undoneIn(session)) {
          count += 1;
          evidence.push(evidenceOf(session, messageId, `${path} was changed and changed back`));
        }
      },
      result: () => ({ count, spent: new UsageSum(), evidence: evidence.slice(0, MOST_EVIDENCE) }),
    };
  },
};

function undoneIn(session: WorkedSession): { messageId: string; path: string }[] {
  const made = new Map<string, { messageId: string; path: string }>();
  const undone: { messageId: string; path: string }[] = [];
  for (const { messageId, call } of callsOf(session)) {
    for (const { path, parts } of session.editsOf(call)) {
      for (const part of parts) {
        const back = made.get(
          keyOf(path, { ...part, before: part.after, after: part.before ?? "" }),
        );
        if (back) undone.push(back);
        if (part.before !== undefined) made.set(keyOf(path, part), { messageId, path });
      }
    }
  }
  return undone;
}

function keyOf(path: string, { before, after }: EditedPart): string {
  return JSON.stringify([path, before, after]);
}
