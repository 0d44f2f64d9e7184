import type { ParseError } from "jsonc-parser";
import { parse } from "jsonc-parser";
import { asList, asObject } from "./decoding/fields.ts";
import { withoutValue, withValue } from "./json-edit.ts";

/**
 * Something of ours in a file of settings of an agent. Nothing is read or written here: texts come
 * in and go out, and all else in them stays as it is, comments too.
 */
export interface SettingsEntry<Value> {
  /** What it does, after "It". */
  about: string;
  /** The file that holds it. */
  file(root: string, homeDir: string): string;
  /** What belongs into that file, as a file of its own. */
  snippet(value: Value): string;
  add(text: string, value: Value): SettingsChange;
  remove(text: string, value: Value): SettingsChange;
}

export type SettingsChange =
  /** There (or absent) already. */
  { kind: "same" } | { kind: "changed"; text: string } | { kind: "refused"; why: string };

/** A program that an agent starts and asks. */
export interface McpServerCommand {
  command: string;
  args: readonly string[];
}

/** What there is for one agent. */
export interface SettingsEntries {
  /** Runs a command when a session ends. */
  hook?: SettingsEntry<string>;
  /** Asks a server of the Model Context Protocol. */
  mcpServer?: SettingsEntry<McpServerCommand>;
}

/** The name of the server in every agent's settings. */
export const MCP_NAME = "pollux";

type Place = Pick<SettingsEntry<unknown>, "about" | "file">;

/** A server below `mcpServers`, as most agents have it. */
export function jsonMcpServer(place: Place): SettingsEntry<McpServerCommand> {
  const path = ["mcpServers", MCP_NAME];
  const entryOf = ({ command, args }: McpServerCommand) => ({ command, args: [...args] });
  return {
    ...place,
    snippet: (server) => withValue("", path, entryOf(server)),
    add(text, server) {
      return change(text, path, (settings) => {
        const present = asObject(asObject(settings["mcpServers"])?.[MCP_NAME]);
        const isSame = JSON.stringify(present) === JSON.stringify(entryOf(server));
        return isSame ? undefined : withValue(text, path, entryOf(server));
      });
    },
    remove(text) {
      return change(text, path, (settings) => {
        const isThere = asObject(settings["mcpServers"])?.[MCP_NAME] !== undefined;
        return isThere ? withoutValue(text, path) : undefined;
      });
    },
  };
}

/**
 * A command that is run when a session ends:
 *
 *     {"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "…"}]}]}}
 */
export function jsonHook(place: Place, more: Record<string, unknown>): SettingsEntry<string> {
  const path = ["hooks", "SessionEnd"];
  const groupOf = (command: string) => ({ hooks: [{ type: "command", command, ...more }] });
  const indexOf = (settings: Record<string, unknown>, command: string): number => {
    const groups = asList(asObject(settings["hooks"])?.["SessionEnd"]) ?? [];
    return groups.findIndex((group) => {
      const hooks = asList(asObject(group)?.["hooks"]) ?? [];
      return hooks.some((hook) => asObject(hook)?.["command"] === command);
    });
  };
  return {
    ...place,
    snippet: (command) => withValue("", [...path, 0], groupOf(command)),
    add(text, command) {
      return change(text, path, (settings) => {
        if (indexOf(settings, command) !== -1) return undefined;
        const groups = asList(asObject(settings["hooks"])?.["SessionEnd"]);
        return withValue(text, [...path, groups?.length ?? 0], groupOf(command));
      });
    },
    remove(text, command) {
      return change(text, path, (settings) => {
        const at = indexOf(settings, command);
        return at === -1 ? undefined : withoutValue(text, [...path, at]);
      });
    },
  };
}

/** Settings that are broken, or not what they should be, are left to their owner. */
function change(
  text: string,
  [outer, inner]: readonly string[],
  edit: (settings: Record<string, unknown>) => string | undefined,
): SettingsChange {
  const errors: ParseError[] = [];
  const parsed: unknown =
    text.trim() === "" ? {} : parse(text, errors, { allowTrailingComma: true });
  const settings = asObject(parsed);
  if (!settings || errors.length > 0) return { kind: "refused", why: "it is not JSON" };
  const held = settings[outer ?? ""];
  if (held !== undefined && !asObject(held)) return odd(`\`${outer}\``);
  const own = asObject(held)?.[inner ?? ""];
  if (own !== undefined && typeof own !== "object") return odd(`\`${outer}.${inner}\``);
  const changed = edit(settings);
  return changed === undefined ? { kind: "same" } : { kind: "changed", text: changed };
}

function odd(what: string): SettingsChange {
  return { kind: "refused", why: `${what} is not what it should be` };
}
