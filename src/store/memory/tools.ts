import { byCalls, byTouches } from "../../core/rows/tool-fact.ts";
import type { LinkedSession } from "../../core/session/links.ts";
import { isWithin, matchesLedger, matchesModel } from "../../core/filter/matches.ts";
import type { ProjectAnswer } from "../../core/rows/summary.ts";
import type {
  CallCounts,
  ToolBucket,
  ToolBuckets,
  ToolFact,
  TouchedFileBucket,
} from "../../core/rows/tool-fact.ts";
import { modelName } from "../../core/usage/usage-fact.ts";
import { addNullable } from "../../core/usage/usage-facts.ts";
import { absolutePath } from "../../core/rows/touched-file.ts";
import type { ToolQuery } from "../store.ts";
import { timeOf } from "./usage.ts";

/** Sums every tool call, one by one. */
export function sumTools(
  sessions: readonly LinkedSession[],
  { filter, files }: ToolQuery,
): ToolBuckets {
  const sums = new ToolSums();
  for (const session of sessions) {
    if (!matchesLedger(session.summary, filter)) continue;
    for (const fact of session.tools) {
      const model = modelName(session.modelOfMessage.get(fact.messageId));
      if (!matchesModel(model, filter.model) || !isWithin(timeOf(fact.at, session), filter))
        continue;
      sums.add(fact, session.summary.project);
    }
  }
  return sums.buckets(files);
}

class ToolSums {
  readonly #tools = new Map<string, ToolBucket>();
  readonly #shell = new Map<string, number>();
  readonly #files = new Map<string, TouchedFileBucket>();

  add(fact: ToolFact, project: ProjectAnswer): void {
    const { name, label, canonical, category, mcp = null } = fact;
    const key = JSON.stringify([name, label, canonical, category, mcp]);
    let bucket = this.#tools.get(key);
    if (!bucket) {
      bucket = { name, label, canonical, category, mcp, ...NO_CALLS };
      this.#tools.set(key, bucket);
    }
    count(bucket, fact);
    for (const command of fact.commands ?? []) {
      this.#shell.set(command, (this.#shell.get(command) ?? 0) + 1);
    }
    for (const file of fact.files) this.#touch(file, project);
  }

  #touch(
    { path: recorded, how, addedLines, removedLines }: ToolFact["files"][number],
    project: ProjectAnswer,
  ): void {
    const path = absolutePath(recorded, project.path);
    let row = this.#files.get(path);
    if (!row) {
      row = { path, project: project.name, ...UNTOUCHED };
      this.#files.set(path, row);
    }
    if (project.name < row.project) row.project = project.name;
    if (how === "read") row.reads += 1;
    else if (how === "written") row.writes += 1;
    else row.edits += 1;
    row.addedLines = addNullable(row.addedLines, addedLines ?? null);
    row.removedLines = addNullable(row.removedLines, removedLines ?? null);
  }

  buckets(files: number | undefined): ToolBuckets {
    const shell = [...this.#shell].map(([command, calls]) => ({ command, calls }));
    return {
      tools: byCalls([...this.#tools.values()], ({ name, mcp }) => `${name} ${mcp?.server ?? ""}`),
      shell: byCalls(shell, ({ command }) => command),
      files: byTouches(this.#files.values()).slice(0, files),
    };
  }
}

const NO_CALLS: CallCounts = { calls: 0, success: 0, error: 0, cancelled: 0, time: null };
const UNTOUCHED = { reads: 0, writes: 0, edits: 0, addedLines: null, removedLines: null };

function count(counts: CallCounts, { outcome, durationMs }: ToolFact): void {
  counts.calls += 1;
  if (outcome !== undefined) counts[outcome] += 1;
  if (durationMs === undefined) return;
  counts.time ??= { calls: 0, totalMs: 0, longestMs: 0 };
  counts.time.calls += 1;
  counts.time.totalMs += durationMs;
  counts.time.longestMs = Math.max(counts.time.longestMs, durationMs);
}
