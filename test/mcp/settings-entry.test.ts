import { parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { sources } from "../../src/sources/index.ts";
import type { McpServerCommand, SettingsChange } from "../../src/sources/settings-entry.ts";

const server: McpServerCommand = { command: "/opt/a b/node", args: ['p"x.js', "mcp"] };

async function entryOf(id: string) {
  const source = sources.find((each) => each.id === id);
  const entry = (await source?.abilities.settingsEntries?.())?.mcpServer;
  if (!entry) throw new Error(`${id} has no entry`);
  return entry;
}

function textOf(change: SettingsChange): string {
  return change.kind === "changed" ? change.text : change.kind;
}

const JSON_AGENTS = sources
  .filter(({ id, abilities }) => abilities.settingsEntries && id !== "codex")
  .map(({ id }) => id);

describe.each(JSON_AGENTS)("the server in the settings of %s", (id) => {
  const before =
    '{\n  // mine\n  "theme": "dark",\n  "mcpServers": {"other": {"command": "x"}},\n}\n';

  test("is added without changing anything else, and removed again", async () => {
    const entry = await entryOf(id);
    const added = textOf(entry.add(before, server));
    expect(added).toContain("// mine");
    expect(parse(added)).toEqual({
      theme: "dark",
      mcpServers: { other: { command: "x" }, pollux: server },
    });
    expect(entry.add(added, server)).toEqual({ kind: "same" });
    expect(textOf(entry.remove(added, server))).toBe(before);
    expect(entry.remove(before, server)).toEqual({ kind: "same" });
  });

  test("is written to an empty file", async () => {
    const entry = await entryOf(id);
    expect(JSON.parse(textOf(entry.add("", server)))).toEqual({ mcpServers: { pollux: server } });
    expect(JSON.parse(entry.snippet(server))).toEqual({ mcpServers: { pollux: server } });
  });

  test.each(["{broken", "[]", '{"mcpServers": []}', '{"mcpServers": {"pollux": 1}}'])(
    "is not added to malformed settings: %s",
    async (text) => expect((await entryOf(id)).add(text, server).kind).toBe("refused"),
  );
});

describe("the server in the settings of codex", () => {
  const before =
    '# mine\nmodel = "gpt-5" # why not\n\n[mcp_servers.other]\ncommand = "x"\n\n' +
    '[projects."/home/ada"]\ntrust_level = "trusted"\n';
  const old = '\n[mcp_servers.pollux]\ncommand = "old"\n[mcp_servers.pollux.env]\nA = "1"\n';

  test("is added without changing anything else, and removed again", async () => {
    const entry = await entryOf("codex");
    const added = textOf(entry.add(before, server));
    expect(added.startsWith(before)).toBe(true);
    expect(JSON.stringify(parseToml(added)["mcp_servers"])).toBe(
      JSON.stringify({ other: { command: "x" }, pollux: server }),
    );
    expect(entry.add(added, server)).toEqual({ kind: "same" });
    expect(textOf(entry.remove(added, server))).toBe(before);
  });

  test.each(["", "a = 1", "a = 1\n", "a = 1\n\n", "[b]\nc = 2\n\n\n"])(
    "leaves %j unchanged byte for byte after add and remove",
    async (text) => {
      const entry = await entryOf("codex");
      expect(textOf(entry.remove(textOf(entry.add(text, server)), server))).toBe(text);
    },
  );

  test("replaces an older entry", async () => {
    const entry = await entryOf("codex");
    const added = parseToml(textOf(entry.add(before + old, server)));
    expect(JSON.stringify(added["mcp_servers"])).toContain(JSON.stringify(server));
    expect(JSON.stringify(added)).not.toContain("old");
  });

  test.each(["model = ", 'mcp_servers = { pollux = { command = "x" } }\n'])(
    "is not added where that would be unsafe: %s",
    async (text) => expect((await entryOf("codex")).add(text, server).kind).toBe("refused"),
  );
});
