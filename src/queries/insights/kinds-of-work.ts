import type { Turn } from "../../core/session/turn.ts";
import type { WorkedSession } from "./rule.ts";
import { UsageSum } from "./rule.ts";

export const WORK_KINDS = ["asking", "exploring", "editing", "running", "fixing", "other"] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Classifies turns by kind of work. `other`: requests outside the conversation, such as titles. */
export class KindsOfWork {
  readonly #kinds = new Map<WorkKind, { turns: number; spent: UsageSum }>(
    WORK_KINDS.map((kind) => [kind, { turns: 0, spent: new UsageSum() }]),
  );

  add({ turns, replies }: WorkedSession): void {
    const kinds = new Map<number | null, WorkKind>();
    let hasFailed = false;
    for (const turn of turns) {
      const kind = kindOf(turn, hasFailed);
      kinds.set(turn.number, kind);
      const counted = this.#kinds.get(kind);
      if (counted && turn.prompt) counted.turns += 1;
      hasFailed = endsInFailure(turn, hasFailed);
    }
    for (const reply of replies) {
      this.#kinds.get(kinds.get(reply.turn) ?? "other")?.spent.add(reply);
    }
  }

  result(): { kind: WorkKind; turns: number; spent: UsageSum }[] {
    return [...this.#kinds].map(([kind, counted]) => ({ kind, ...counted }));
  }
}

/**
 * The first that applies: an edit after a failure, in this turn or at the end of the previous one;
 * an edit; a command; any other tool call; otherwise only a question was asked.
 */
function kindOf({ messages }: Turn, failedBefore: boolean): WorkKind {
  let hasFailed = failedBefore;
  let kind: WorkKind = "asking";
  for (const call of messages.flatMap(({ toolCalls }) => toolCalls)) {
    const { category, outcome } = call;
    if (category === "Edit") {
      if (hasFailed) return "fixing";
      kind = "editing";
    } else if (category === "Execute" && kind !== "editing") kind = "running";
    else if (kind === "asking") kind = "exploring";
    if (category === "Execute" && outcome !== undefined) hasFailed = outcome === "error";
  }
  return kind;
}

function endsInFailure({ messages }: Turn, before: boolean): boolean {
  const runs = messages
    .flatMap(({ toolCalls }) => toolCalls)
    .filter(({ category, outcome }) => category === "Execute" && outcome !== undefined);
  return runs.length === 0 ? before : runs.at(-1)?.outcome === "error";
}
