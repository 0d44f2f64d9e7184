import { join } from "node:path";
import type { McpServerCommand, SettingsEntry } from "../settings-entry.ts";
import { jsonMcpServer } from "../settings-entry.ts";

export const mcpServer: SettingsEntry<McpServerCommand> = jsonMcpServer({
  about: "lets Qwen Code query Pollux",
  file: (root) => join(root, "settings.json"),
});
