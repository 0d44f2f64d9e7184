import { cacheMisses } from "./cache-misses.ts";
import { contextGrowth } from "./context-growth.ts";
import { costlyFiles } from "./costly-files.ts";
import { failedCalls } from "./failed-calls.ts";
import { repeatedCalls } from "./repeated-calls.ts";
import type { Rule } from "./rule.ts";
import { compressedWork, rewoundWork } from "./taken-back.ts";
import { undoneEdits } from "./undone-edits.ts";

/** Every rule; each has a section in `docs/guide/insights.md`. */
export const rules: readonly Rule[] = [
  cacheMisses,
  contextGrowth,
  rewoundWork,
  compressedWork,
  failedCalls,
  repeatedCalls,
  undoneEdits,
  costlyFiles,
];
