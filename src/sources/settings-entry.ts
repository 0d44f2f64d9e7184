import type { ParseError } from "jsonc-parser";
import { parse } from "jsonc-parser";
import { asList, asObject } from "./decoding/fields.ts";
import { withoutValue, withValue } from "./json-edit.ts";

/**
 * An entry of Pollux in an agent's settings file. These functions do no I/O: they edit texts and
 * leave everything else in them unchanged, including comments.
 */
export interface SettingsEntry<Value> {
  /** What the entry does; completes a sentence that begins with "It". */
  about: string;
  /** Path of the settings file. */
  file(root: string, homeDir: string): string;
  /** The entry as a complete settings file. */
  snippet(value: Value): string;
  add(text: string, value: Value): SettingsChange;
  remove(text: string, value: Value): SettingsChange;
}

export type SettingsChange =
  /** The entry was already present (or absent). */
  { kind: "same" } | { kind: "changed"; text: string } | { kind: "refused"; why: string };

/** An MCP server that the agent starts. */
export interface McpServerCommand {
  command: string;
  args: readonly string[];
}

/** The entries available for one agent. */
export interface SettingsEntries {
  /** Runs a command when a session ends. */
  hook?: SettingsEntry<string>;
  /** Registers an MCP server. */
  mcpServer?: SettingsEntry<McpServerCommand>;
}

/** The name of Pollux's MCP server in every agent's settings. */
export const MCP_NAME = "pollux";

type Place = Pick<SettingsEntry<unknown>, "about" | "file">;

/** An entry below `mcpServers`, the form that most agents use. */
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
 * A command that runs when a session ends:
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

/** Refuses to edit settings that are not valid or have an unexpected structure. */
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
  return { kind: "refused", why: `${what} has an unexpected structure` };
}
