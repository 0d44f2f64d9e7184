import { join } from "node:path";
import type { McpServerCommand, SettingsEntry } from "../settings-entry.ts";
import { jsonHook, jsonMcpServer } from "../settings-entry.ts";

const file = (root: string): string => join(root, "settings.json");

/** Gemini CLI 0.19 and newer. The timeout is long because a first run on a large home is slow. */
export const hook: SettingsEntry<string> = jsonHook(
  { about: "archives every session when it ends", file },
  { name: "pollux-keep", timeout: 60_000 },
);

export const mcpServer: SettingsEntry<McpServerCommand> = jsonMcpServer({
  about: "lets Gemini CLI query Pollux",
  file,
});
