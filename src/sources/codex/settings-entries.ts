import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { parse } from "smol-toml";
import { asObject } from "../decoding/fields.ts";
import type { McpServerCommand, SettingsChange, SettingsEntry } from "../settings-entry.ts";
import { MCP_NAME } from "../settings-entry.ts";

/** Our table in `config.toml`. TOML tables may come in any order. */
export const mcpServer: SettingsEntry<McpServerCommand> = {
  about: "lets Codex query Pollux",
  file: (root) => join(root, "config.toml"),
  snippet: tableOf,
  add(text, server) {
    return change(text, (settings) => {
      const present = serversOf(settings)[MCP_NAME];
      const wanted = { command: server.command, args: [...server.args] };
      if (isDeepStrictEqual(asPlain(present), wanted)) return undefined;
      const rest = present === undefined ? text : withoutTable(text);
      // Always exactly one line break, so that remove() knows what to take away.
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

/** JSON strings are valid TOML strings. */
function tableOf({ command, args }: McpServerCommand): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(", ");
  return `[mcp_servers.${MCP_NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n`;
}

type Settings = Record<string, unknown>;
interface Edit {
  text: string;
  /** Our servers after the edit. */
  servers: Record<string, unknown>;
}

/** Parses the edited text again: everything else must be unchanged, or the edit is refused. */
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
  return { kind: "refused", why: "its tables have an unexpected structure" };
}

function parsed(text: string): Settings | undefined {
  try {
    return asObject(asPlain(parse(text)));
  } catch {
    // The caller reports it.
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

/** Removes the parser's prototypes and turns dates into strings. */
function asPlain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** Removes our table with its sub-tables, up to the next header. */
function withoutTable(text: string): string {
  const header = new RegExp(`^\\s*\\[\\s*mcp_servers\\s*\\.\\s*"?${MCP_NAME}"?\\s*(\\.|\\])`);
  let isOurs = false;
  const kept = text.split("\n").filter((line) => {
    if (/^\s*\[/.test(line)) isOurs = header.test(line);
    return !isOurs;
  });
  return kept.join("\n");
}
