import { join } from "node:path";
import { readForeignText } from "../../kernel/open-file.ts";
import type { RetentionAdvice, RetentionSettings } from "../source.ts";
import { asObject, asText } from "../decoding/fields.ts";

/** From 0.33 on sessions are deleted after 30 days unless the settings say otherwise. */
const DEFAULT: RetentionSettings = { isEnabled: true, maxAgeDays: 30, from: "the default" };

export const retentionAdvice: RetentionAdvice = {
  remark:
    "It does so at any start in the same project. 0.42, 0.43 and all from 0.47 on delete a " +
    "session at the start after it was resumed, however young it is.",
  settings: {
    file: "settings.json",
    text: '{"general": {"sessionRetention": {"enabled": false}}}',
  },
};

const UNIT_DAYS: ReadonlyMap<string, number> = new Map([
  ["h", 1 / 24],
  ["d", 1],
  ["w", 7],
  ["m", 30],
]);

/** `{"general": {"sessionRetention": {"enabled": true, "maxAge": "30d"}}}` in `settings.json`. */
export function readRetention(root: string): RetentionSettings {
  const path = join(root, "settings.json");
  let text: string;
  try {
    text = readForeignText(path);
  } catch {
    // No settings of its own: the program's default holds.
    return DEFAULT;
  }
  const retention = asObject(asObject(parseSettings(text)?.["general"])?.["sessionRetention"]);
  if (!retention) return DEFAULT;
  const age = /^(\d+)([hdwm])$/.exec(asText(retention["maxAge"]) ?? "");
  const days = age ? Number(age[1]) * (UNIT_DAYS.get(age[2] ?? "") ?? 1) : 30;
  const count = retention["maxCount"];
  return {
    isEnabled: retention["enabled"] !== false,
    maxAgeDays: days,
    ...(typeof count === "number" && count >= 1 ? { maxSessions: count } : {}),
    from: path,
  };
}

/** Settings may hold comments. */
function parseSettings(text: string): Record<string, unknown> | undefined {
  const bare = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  try {
    return asObject(JSON.parse(bare));
  } catch {
    // Broken settings are ignored by the program as well: its default holds.
    return undefined;
  }
}
