import { compareTexts } from "../../../core/lists.ts";
import type { Standing, StandingReason } from "../../../core/session/message.ts";
import type { Entry, HistoryMessage } from "../content.ts";
import { isInjected } from "../formats/user-text.ts";
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

/** What a rollback removed from the model's history. */
export interface Rollback {
  turns: number;
  /** The history that a compaction wrote was lost as well. */
  isHistoryLost: boolean;
}

/** The standing of each record, by step number. */
export class Timeline {
  readonly #steps: readonly Step[];
  readonly #rollbacks: Rollbacks;
  /** The last compaction: the model's context is what remains of its text and all after it. */
  readonly #lastCompaction: number;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#rollbacks = new Rollbacks(steps);
    this.#lastCompaction = steps.findLastIndex(({ entry, isLeft }) => {
      return entry.kind === "compacted" && !isLeft;
    });
  }

  rollbackAt(step: number): Rollback | undefined {
    return this.#rollbacks.at(step);
  }

  /** `kept`: it is in the history that the last compaction wrote. */
  at(step: number, compacted: "kept" | "replaced" = "replaced"): StepStanding {
    const isReached = this.#steps[step]?.isLeft === false && !this.#rollbacks.undid(step);
    if (!isReached) return { standing: "rewound", reason: "rewind" };
    const isReplaced = step < this.#lastCompaction && compacted === "replaced";
    return isReplaced ? { standing: "rewritten", reason: "compression" } : { standing: "live" };
  }
}

/** Up to 0.111 the context before the prompt stays; later the history is rebuilt from the file. */
const CUTS_AT_PROMPT = /^0\.(?:[89]\d|10\d|11[01])\./;

/**
 * `{"type": "thread_rolled_back", "num_turns": 2}` removes the last two turns from the model's
 * history. After a compaction these are the messages of users that its history repeats.
 */
class Rollbacks {
  readonly #undone: Int32Array;
  readonly #all = new Map<number, Rollback>();
  /** The first step of each turn in the history; of repeated ones the compaction. */
  #turns: number[] = [];
  #compaction = -1;
  #histories = 0;

  constructor(steps: readonly Step[]) {
    const changes = new Int32Array(steps.length + 1);
    const undo = (from: number, to: number): void => {
      changes[from] = (changes[from] ?? 0) + 1;
      changes[to] = (changes[to] ?? 0) - 1;
    };
    let turnStart: number | undefined;
    for (const [at, { entry, strand, isLeft }] of steps.entries()) {
      if (isLeft) continue;
      if (entry.kind === "turn-start") turnStart = at;
      else if (entry.kind === "prompt") {
        // A second prompt inside a turn does not start the turn.
        this.#turns.push(cutsAtPrompt(strand) ? at : (turnStart ?? at));
        turnStart = undefined;
      } else if (entry.kind === "compacted") this.#compact(entry.history, at);
      else if (entry.kind === "rollback" && entry.turns > 0) {
        const isHistoryLost = this.#losesHistory(entry.turns, strand);
        if (isHistoryLost) this.#forget(undo);
        this.#all.set(at, { turns: entry.turns, isHistoryLost });
        const [from] = this.#turns.splice(Math.max(0, this.#turns.length - entry.turns));
        if (from !== undefined) undo(from, at);
      }
    }
    let count = 0;
    this.#undone = changes.map((change) => (count += change));
  }

  at(step: number): Rollback | undefined {
    return this.#all.get(step);
  }

  undid(step: number): boolean {
    return this.#undone[step] !== 0;
  }

  #compact(history: readonly HistoryMessage[] | undefined, at: number): void {
    // Without a recorded history, all prompts and the summary are sent.
    const turns = history ? history.filter(isTurn).length : this.#turns.length + 1;
    this.#turns = Array<number>(turns).fill(at);
    this.#compaction = at;
    if (history) this.#histories += 1;
  }

  /** From 0.113 on, if the turns end before the only compaction, all before it is lost. */
  #losesHistory(turns: number, strand: RolloutInGroup): boolean {
    if (this.#histories !== 1 || cutsAtPrompt(strand)) return false;
    return turns > this.#turns.filter((from) => from > this.#compaction).length;
  }

  #forget(undo: (from: number, to: number) => void): void {
    undo(this.#compaction, this.#compaction + 1);
    this.#turns = this.#turns.filter((from) => from > this.#compaction);
  }
}

function cutsAtPrompt({ rollout }: RolloutInGroup): boolean {
  return CUTS_AT_PROMPT.test(rollout.meta?.cliVersion ?? "");
}

function isTurn(said: HistoryMessage): boolean {
  return said.role === "user" && !isInjected(said);
}
