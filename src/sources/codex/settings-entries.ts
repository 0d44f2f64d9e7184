import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { parse } from "smol-toml";
import { asObject } from "../decoding/fields.ts";
import type { McpServerCommand, SettingsChange, SettingsEntry } from "../settings-entry.ts";
import { MCP_NAME } from "../settings-entry.ts";

/** A table of ours in `config.toml`. Tables may follow one another in any order. */
export const mcpServer: SettingsEntry<McpServerCommand> = {
  about: "lets Codex ask Pollux",
  file: (root) => join(root, "config.toml"),
  snippet: tableOf,
  add(text, server) {
    return change(text, (settings) => {
      const present = serversOf(settings)[MCP_NAME];
      const wanted = { command: server.command, args: [...server.args] };
      if (isDeepStrictEqual(asPlain(present), wanted)) return undefined;
      const rest = present === undefined ? text : withoutTable(text);
      // One line end, whatever stands before it: so it is known what to take away again.
      const gap = rest === "" ? "" : "\n";
      return { text: `${rest}${gap}${tableOf(server)}`, servers: { [MCP_NAME]: wanted } };
    });
  },
  remove(text) {
    return change(text, (settings) => {
      if (serversOf(settings)[MCP_NAME] === undefined) return undefined;
      return { text: withoutTable(text), servers: {} };
    });
  },
};

/** JSON's strings are strings of TOML. */
function tableOf({ command, args }: McpServerCommand): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(", ");
  return `[mcp_servers.${MCP_NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n`;
}

type Settings = Record<string, unknown>;
interface Edit {
  text: string;
  /** What stands there of ours afterwards. */
  servers: Record<string, unknown>;
}

/** What was made is read again: everything else must be as before, or nothing is changed. */
function change(text: string, edit: (settings: Settings) => Edit | undefined): SettingsChange {
  const before = parsed(text);
  if (!before) return { kind: "refused", why: "it is not TOML" };
  const made = edit(before);
  if (!made) return { kind: "same" };
  const after = parsed(made.text);
  const isSound =
    after !== undefined &&
    isDeepStrictEqual(others(after), others(before)) &&
    isDeepStrictEqual(asPlain(serversOf(after)[MCP_NAME]), made.servers[MCP_NAME]);
  if (isSound) return { kind: "changed", text: made.text };
  return { kind: "refused", why: "its tables are written in an unusual way" };
}

function parsed(text: string): Settings | undefined {
  try {
    return asObject(asPlain(parse(text)));
  } catch {
    // Told by the caller.
    return undefined;
  }
}

function serversOf(settings: Settings): Settings {
  return asObject(settings["mcp_servers"]) ?? {};
}

function others(settings: Settings): Settings {
  const { [MCP_NAME]: _own, ...servers } = serversOf(settings);
  const { mcp_servers: _all, ...rest } = settings;
  return Object.keys(servers).length === 0 ? rest : { ...rest, servers };
}

/** Without prototypes of the parser's own, and with dates as texts. */
function asPlain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** From our header, and those of tables within it, to the next header. */
function withoutTable(text: string): string {
  const header = new RegExp(`^\\s*\\[\\s*mcp_servers\\s*\\.\\s*"?${MCP_NAME}"?\\s*(\\.|\\])`);
  let isOurs = false;
  const kept = text.split("\n").filter((line) => {
    if (/^\s*\[/.test(line)) isOurs = header.test(line);
    return !isOurs;
  });
  return kept.join("\n");
}
