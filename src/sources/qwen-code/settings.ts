import { readForeignText } from "../../kernel/open-file.ts";
import { join } from "node:path";
import type { Json } from "../decoding/fields.ts";
import { asName, asObject, isCount } from "../decoding/fields.ts";
import { parseJsonText, stripBom } from "../decoding/parse.ts";
import type { RetentionSettings, Root } from "../source.ts";

/** Settings may hold comments. Broken ones are ignored, as the program does. */
function readSettings(home: string): Json {
  let text: string;
  try {
    text = stripBom(readForeignText(pathOf(home)));
  } catch {
    // No settings of its own.
    return {};
  }
  const bare = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  const parsed = parseJsonText(bare);
  return (parsed.isJson ? asObject(parsed.value) : undefined) ?? {};
}

function pathOf(home: string): string {
  return join(home, "settings.json");
}

/** `{"advanced": {"runtimeOutputDir": "…"}}`: where sessions go instead of the home. */
export function runtimeOutputDir(home: string): string | undefined {
  return asName(asObject(readSettings(home)["advanced"])?.["runtimeOutputDir"]);
}

const DEFAULT_DAYS = 30;

/**
 * Sessions stay for ever. What agents said and copies of edited files are deleted after
 * `{"general": {"cleanupPeriodDays": 30}}` days.
 */
export function readRetention({ path }: Root): RetentionSettings {
  const days = asObject(readSettings(path)["general"])?.["cleanupPeriodDays"];
  const settings = isCount(days)
    ? { maxAgeDays: days, from: pathOf(path) }
    : { maxAgeDays: DEFAULT_DAYS, from: "the default" };
  return { isEnabled: true, isSubagentsOnly: true, ...settings };
}
