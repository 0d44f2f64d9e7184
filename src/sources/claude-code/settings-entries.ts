import { join } from "node:path";
import type { McpServerCommand, SettingsEntry } from "../settings-entry.ts";
import { jsonHook, jsonMcpServer } from "../settings-entry.ts";

/** The timeout is in seconds here. */
export const hook: SettingsEntry<string> = jsonHook(
  { about: "archives every session when it ends", file: (root) => join(root, "settings.json") },
  { timeout: 60 },
);

/** A user's MCP servers are in .claude.json: next to the default folder, or in a custom one. */
export const mcpServer: SettingsEntry<McpServerCommand> = jsonMcpServer({
  about: "lets Claude Code query Pollux",
  file(root, homeDir) {
    const folder = root === join(homeDir, ".claude") ? homeDir : root;
    return join(folder, ".claude.json");
  },
});
