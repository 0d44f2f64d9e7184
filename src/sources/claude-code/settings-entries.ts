import { join } from "node:path";
import type { McpServerCommand, SettingsEntry } from "../settings-entry.ts";
import { jsonHook, jsonMcpServer } from "../settings-entry.ts";

/** Seconds, here. */
export const hook: SettingsEntry<string> = jsonHook(
  { about: "keeps every session when it ends", file: (root) => join(root, "settings.json") },
  { timeout: 60 },
);

/** Servers of a person stand in a file of their own: beside the usual folder, or in another one. */
export const mcpServer: SettingsEntry<McpServerCommand> = jsonMcpServer({
  about: "lets Claude Code ask Pollux",
  file(root, homeDir) {
    const folder = root === join(homeDir, ".claude") ? homeDir : root;
    return join(folder, ".claude.json");
  },
});
