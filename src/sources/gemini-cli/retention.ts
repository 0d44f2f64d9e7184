import type { Retention } from "../../core/files/expiry.ts";
import { basename, join } from "node:path";
import { optional } from "../../core/optional.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { asObject, asText } from "../decoding/fields.ts";
import { lastTimeIn, readSettings } from "../decoding/parse.ts";
import type { CleanUpName, RetentionAbility } from "../source.ts";

/** Since 0.33, sessions are deleted after 30 days unless the settings say otherwise. */
const DEFAULT: Retention = { isEnabled: true, maxAgeDays: 30, from: "the default" };

export const retention: RetentionAbility = {
  settings: ({ path }) => readRetention(path),
  cleanUpName,
  peekLastMs,
  advice: {
    remark:
      "It does so at any start in the same project. Versions 0.42, 0.43 and from 0.47 delete a " +
      "session at the next start after it was resumed, regardless of its age.",
    settings: {
      file: "settings.json",
      text: '{"general": {"sessionRetention": {"enabled": false}}}',
    },
  },
};

const UNIT_DAYS: ReadonlyMap<string, number> = new Map([
  ["h", 1 / 24],
  ["d", 1],
  ["w", 7],
  ["m", 30],
]);

/** `{"general": {"sessionRetention": {"enabled": true, "maxAge": "30d"}}}` in `settings.json`. */
function readRetention(root: string): Retention {
  const path = join(root, "settings.json");
  const general = asObject(readSettings(path)["general"]);
  const limits = asObject(general?.["sessionRetention"]);
  if (!limits) return DEFAULT;
  const age = /^(\d+)([hdwm])$/.exec(asText(limits["maxAge"]) ?? "");
  const days = age ? Number(age[1]) * (UNIT_DAYS.get(age[2] ?? "") ?? 1) : 30;
  const count = limits["maxCount"];
  return {
    isEnabled: limits["enabled"] !== false,
    maxAgeDays: days,
    ...(typeof count === "number" && count >= 1 ? { maxSessions: count } : {}),
    from: path,
  };
}

/**
 * `session-2026-07-08T09-12-1a2b3c4d.jsonl`: the minute of the start, and the beginning of the id.
 */
const NAME = /^session-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-.*\.jsonl?$/;
/** Files whose names end in the same characters are deleted together. */
const TOGETHER = 8;

function cleanUpName(path: string): CleanUpName | undefined {
  const name = basename(path);
  if (!name.startsWith("session-")) return undefined;
  const [, hour, minute] = NAME.exec(name) ?? [];
  const begunMs = hour === undefined ? Number.NaN : Date.parse(`${hour}:${minute ?? "00"}Z`);
  return {
    together: name.replace(/\.jsonl?$/, "").slice(-TOGETHER),
    ...optional("begunMs", Number.isNaN(begunMs) ? undefined : begunMs),
  };
}

/** A document has its last time at the beginning, JSON lines have it at the end. */
const HEAD_BYTES = 4096;
const TAIL_BYTES = 64 * 1024;

function peekLastMs({ sizeBytes }: SessionFile, bytes: ByteSource): number | undefined {
  const head = bytes.range(0, HEAD_BYTES).toString("utf8");
  const tail = bytes.range(Math.max(0, sizeBytes - TAIL_BYTES), sizeBytes).toString("utf8");
  return lastTimeIn(`${head}\n${tail}`, ["lastUpdated", "timestamp"]);
}
