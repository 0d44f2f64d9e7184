import { readForeignText } from "../../kernel/open-file.ts";
import { join } from "node:path";
import type { Json } from "../decoding/fields.ts";
import { asName, asObject } from "../decoding/fields.ts";
import { parseSettings } from "../decoding/parse.ts";

/** Nothing where there are none. */
export function readSettings(home: string): Json {
  let text: string;
  try {
    text = readForeignText(settingsPath(home));
  } catch {
    // No settings of its own.
    return {};
  }
  return parseSettings(text) ?? {};
}

export function settingsPath(home: string): string {
  return join(home, "settings.json");
}

/** `{"advanced": {"runtimeOutputDir": "…"}}`: where sessions go instead of the home. */
export function runtimeOutputDir(home: string): string | undefined {
  return asName(asObject(readSettings(home)["advanced"])?.["runtimeOutputDir"]);
}
