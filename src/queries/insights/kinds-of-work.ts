import type { WorkKind } from "../../core/rows/session-work.ts";
import { WORK_KINDS } from "../../core/rows/session-work.ts";
import type { WorkedSession } from "./rule.ts";
import { UsageSum } from "./rule.ts";

/** Sums turns and replies by kind of work. */
export class KindsOfWork {
  readonly #kinds = WORK_KINDS.map((kind) => ({ kind, turns: 0, spent: new UsageSum() }));

  add({ work, replies }: WorkedSession): void {
    for (const [at, kind] of this.#kinds.entries()) kind.turns += work.turns[at] ?? 0;
    for (const reply of replies)
      this.#kinds[Number(work.replies[reply.position])]?.spent.add(reply);
  }

  result(): readonly { kind: WorkKind; turns: number; spent: UsageSum }[] {
    return this.#kinds;
  }
}
