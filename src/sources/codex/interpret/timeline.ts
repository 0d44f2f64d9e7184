import { compareTexts } from "../../../core/lists.ts";
import type { Standing, StandingReason } from "../../../core/session/message.ts";
import type { Entry } from "../content.ts";
import type { RolloutInGroup } from "./strands.ts";

/** One record of a thread, in chronological order. */
export interface Step {
  entry: Entry;
  strand: RolloutInGroup;
  /** Copied from another thread. */
  isCopied: boolean;
  /** The thread went back to before this record and continued in another rollout. */
  isLeft: boolean;
}

/**
 * Returns all records of a thread. The newest rollout is the live one; it continues another rollout
 * from the point that the thread went back to, and so on. Records after that point were abandoned.
 */
export function stepsOf(rollouts: readonly RolloutInGroup[]): Step[] {
  const sorted = rollouts.toSorted((a, b) => compareTexts(a.stem, b.stem));
  const live = sorted.at(-1);
  const ends = live ? lineageOf(live) : new Map<RolloutInGroup, number>();
  const foreign = [...ends].flatMap(([strand, end]) => {
    return sorted.includes(strand) ? [] : foreignSteps(strand, end);
  });
  const own = sorted.flatMap((strand) => {
    const end = ends.get(strand) ?? 0;
    return strand.rollout.entries.map((entry): Step => {
      const isLeft = strand !== live && (entry.ordinal ?? 0) >= end;
      return { entry, strand, isCopied: entry.place.line < strand.ownLine, isLeft };
    });
  });
  return [...foreign, ...own];
}

/** Returns the rollouts that the live one is based on, oldest first, each with its end ordinal. */
function lineageOf(live: RolloutInGroup): Map<RolloutInGroup, number> {
  const ends: [RolloutInGroup, number][] = [[live, Number.POSITIVE_INFINITY]];
  for (let { base } = live; base; base = base.strand.base) {
    ends.unshift([base.strand, base.endOrdinal]);
  }
  return new Map(ends);
}

function foreignSteps(strand: RolloutInGroup, end: number): Step[] {
  const before = strand.rollout.entries.filter(({ ordinal = 0 }) => ordinal < end);
  return before.map((entry) => ({ entry, strand, isCopied: true, isLeft: false }));
}

export interface StepStanding {
  standing: Standing;
  reason?: StandingReason;
}

/** The standing of each record, by step number. */
export class Timeline {
  readonly #steps: readonly Step[];
  /** Number of rollbacks that undo each step. */
  readonly #takenBack: Int32Array;
  /** The last effective compaction: the model's context is its text and everything after it. */
  readonly #lastCompaction: number;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#takenBack = rollbacksOf(steps);
    this.#lastCompaction = steps.findLastIndex((step, at) => {
      return step.entry.kind === "compacted" && this.isReached(at);
    });
  }

  /** Whether a step was neither abandoned nor rolled back. */
  isReached(step: number): boolean {
    return this.#steps[step]?.isLeft === false && this.#takenBack[step] === 0;
  }

  /** `kept`: every compaction copied it into the history that it wrote. */
  at(step: number, compacted: "kept" | "replaced" = "replaced"): StepStanding {
    if (!this.isReached(step)) return { standing: "rewound", reason: "rewind" };
    const isReplaced = step < this.#lastCompaction && compacted === "replaced";
    return isReplaced ? { standing: "rewritten", reason: "compression" } : { standing: "live" };
  }
}

/** `{"type": "thread_rolled_back", "num_turns": 2}` undoes the last two turns with a prompt. */
function rollbacksOf(steps: readonly Step[]): Int32Array {
  const changes = new Int32Array(steps.length + 1);
  const turns: number[] = [];
  let turnStart: number | undefined;
  for (const [at, { entry, isLeft }] of steps.entries()) {
    if (isLeft) continue;
    if (entry.kind === "turn-start") turnStart = at;
    else if (entry.kind === "prompt") {
      // A second prompt inside a turn does not start the turn.
      turns.push(turnStart ?? at);
      turnStart = undefined;
    } else if (entry.kind === "rollback" && entry.turns > 0) {
      const [from] = turns.splice(Math.max(0, turns.length - entry.turns));
      if (from === undefined) continue;
      changes[from] = (changes[from] ?? 0) + 1;
      changes[at] = (changes[at] ?? 0) - 1;
    }
  }
  let count = 0;
  return changes.map((change) => (count += change));
}
