import type { Retention } from "../../core/files/expiry.ts";
import { readForeignText } from "../../kernel/open-file.ts";
import { basename, join } from "node:path";
import type { CleanUpName, RetentionAbility } from "../source.ts";
import { asObject } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";

const DEFAULT_DAYS = 30;
const BY_FILE_TIME = { isEnabled: true, isByFileTime: true };

/**
 * Claude Code deletes files that were not written for this many days, with their task lists:
 *
 *     {"cleanupPeriodDays": 30}   in settings.json
 */
export const retention: RetentionAbility = {
  settings: ({ path }) => readRetention(path),
  cleanUpName,
  // The clean-up uses the time of the file, not the times in its records.
  peekLastMs: ({ modifiedMs }) => modifiedMs,
  // Not 0: the newest versions reject it, and older ones then write no sessions.
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
    // There is no settings file: the default applies.
    return undefined;
  }
  const parsed = parseJsonText(text);
  const days = parsed.isJson ? asObject(parsed.value)?.["cleanupPeriodDays"] : undefined;
  return typeof days === "number" && Number.isFinite(days) && days >= 0 ? days : undefined;
}

/** Each file is deleted separately; its name contains no time. */
function cleanUpName(path: string): CleanUpName | undefined {
  return path.endsWith(".jsonl") ? { together: basename(path) } : undefined;
}
