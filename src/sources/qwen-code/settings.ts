import { readForeignText } from "../../kernel/open-file.ts";
import { join } from "node:path";
import type { Json } from "../decoding/fields.ts";
import { asName, asObject } from "../decoding/fields.ts";
import { parseSettings } from "../decoding/parse.ts";

/** Returns an empty object if there are no settings. */
export function readSettings(home: string): Json {
  let text: string;
  try {
    text = readForeignText(settingsPath(home));
  } catch {
    // There is no settings file.
    return {};
  }
  return parseSettings(text) ?? {};
}

export function settingsPath(home: string): string {
  return join(home, "settings.json");
}

/** `{"advanced": {"runtimeOutputDir": "…"}}`: where sessions are written instead of the home. */
export function runtimeOutputDir(home: string): string | undefined {
  return asName(asObject(readSettings(home)["advanced"])?.["runtimeOutputDir"]);
}
