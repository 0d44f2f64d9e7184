import { join } from "node:path";
import type { SourceHook } from "../source.ts";
import { asList, asObject, asText } from "../decoding/fields.ts";

const EVENT = "SessionEnd";
/** Milliseconds; a first run on a large home takes its time. */
const TIMEOUT_MS = 60_000;

/**
 * What makes Gemini CLI (0.19+) run a command when a session ends, in `settings.json`:
 *
 *     {"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "…", "name": "…"}]}]}}
 */
export const hook: SourceHook = {
  about: "when a session ends",
  file: (root) => join(root, "settings.json"),
  snippet: (command) => print(merged({}, command)),

  install(text, command) {
    const settings = text === undefined || text.trim() === "" ? {} : parse(text);
    // Comments would be lost, and broken settings made worse: both are left to their owner.
    if (!settings) return { kind: "refused", why: "it has comments, or is not JSON" };
    if (isInstalled(settings, command)) return { kind: "there" };
    const odd = oddPart(settings);
    if (odd !== undefined) return { kind: "refused", why: `${odd} is not what it should be` };
    return { kind: "changed", text: print(merged(settings, command)) };
  },
};

type Settings = Record<string, unknown>;

function parse(text: string): Settings | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // Told by the caller.
    return undefined;
  }
}

function oddPart(settings: Settings): string | undefined {
  const hooks = settings["hooks"];
  if (hooks !== undefined && !asObject(hooks)) return "`hooks`";
  const own = asObject(hooks)?.[EVENT];
  return own !== undefined && !asList(own) ? `\`hooks.${EVENT}\`` : undefined;
}

function isInstalled(settings: Settings, command: string): boolean {
  const groups = asList(asObject(settings["hooks"])?.[EVENT]) ?? [];
  return groups
    .flatMap((group) => asList(asObject(group)?.["hooks"]) ?? [])
    .some((entry) => asText(asObject(entry)?.["command"]) === command);
}

function merged(settings: Settings, command: string): Settings {
  const hooks = asObject(settings["hooks"]) ?? {};
  const groups = asList(hooks[EVENT]) ?? [];
  const own = { type: "command", name: "pollux-keep", command, timeout: TIMEOUT_MS };
  return { ...settings, hooks: { ...hooks, [EVENT]: [...groups, { hooks: [own] }] } };
}

function print(settings: Settings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}
