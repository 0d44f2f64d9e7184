import { join } from "node:path";
import type { Retention } from "../../core/files/expiry.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { asObject, isCount } from "../decoding/fields.ts";
import { lastTimeIn, readSettings } from "../decoding/parse.ts";
import type { CleanUpName, RetentionAbility, Root } from "../source.ts";

export const retention: RetentionAbility = { settings: readRetention, cleanUpName, peekLastMs };

const DEFAULT_DAYS = 30;

/**
 * Sessions are never deleted. Files of agents and copies of edited files are deleted after
 * `{"general": {"cleanupPeriodDays": 30}}` days.
 */
function readRetention({ path }: Root): Retention {
  const file = join(path, "settings.json");
  const days = asObject(readSettings(file)["general"])?.["cleanupPeriodDays"];
  const settings = isCount(days)
    ? { maxAgeDays: days, from: file }
    : { maxAgeDays: DEFAULT_DAYS, from: "the default" };
  return { isEnabled: true, isSubagentsOnly: true, ...settings };
}

/** `subagents/<session>/agent-….jsonl`: the folder of a session is deleted as a whole. */
function cleanUpName(path: string): CleanUpName | undefined {
  const session = /[\\/]subagents[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(path)?.[1];
  return session === undefined ? undefined : { together: session };
}

const TAIL_BYTES = 64 * 1024;

/** Returns the time of the last record. */
function peekLastMs({ sizeBytes }: SessionFile, bytes: ByteSource): number | undefined {
  const tail = bytes.range(Math.max(0, sizeBytes - TAIL_BYTES), sizeBytes).toString("utf8");
  return lastTimeIn(tail, ["timestamp"]);
}
