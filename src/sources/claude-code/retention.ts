import type { Retention } from "../../core/retention.ts";
import { readForeignText } from "../../kernel/open-file.ts";
import { basename, join } from "node:path";
import type { CleanUpName, RetentionAbility } from "../source.ts";
import { asObject } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";

const DEFAULT_DAYS = 30;
const BY_FILE_TIME = { isEnabled: true, isByFileTime: true };

/**
 * Files that were not written for so many days are deleted, with the lists that belong to them:
 *
 *     {"cleanupPeriodDays": 30}   in settings.json
 */
export const retention: RetentionAbility = {
  settings: ({ path }) => readRetention(path),
  cleanUpName,
  // The clean-up goes by the time of the file, whatever its records tell.
  peekLastMs: ({ modifiedMs }) => modifiedMs,
  // Newest versions refuse 0, and older ones take it for "write no sessions".
  advice: { settings: { file: "settings.json", text: '{"cleanupPeriodDays": 36500}' } },
};

function readRetention(root: string): Retention {
  const path = join(root, "settings.json");
  const days = daysIn(path);
  if (days === undefined) {
    return { ...BY_FILE_TIME, maxAgeDays: DEFAULT_DAYS, from: "the default" };
  }
  return { ...BY_FILE_TIME, maxAgeDays: days, from: path };
}

function daysIn(path: string): number | undefined {
  let text: string;
  try {
    text = readForeignText(path);
  } catch {
    // No settings of its own: the program's default holds.
    return undefined;
  }
  const parsed = parseJsonText(text);
  const days = parsed.isJson ? asObject(parsed.value)?.["cleanupPeriodDays"] : undefined;
  return typeof days === "number" && Number.isFinite(days) && days >= 0 ? days : undefined;
}

/** Each file for itself; its name tells no time. */
function cleanUpName(path: string): CleanUpName | undefined {
  return path.endsWith(".jsonl") ? { together: basename(path) } : undefined;
}
