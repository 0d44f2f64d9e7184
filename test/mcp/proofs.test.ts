import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { version } from "../../src/cli/version.ts";
import { open } from "../../src/library/library.ts";
import { SecretMask } from "../../src/queries/redaction/secret-mask.ts";
import { sources } from "../../src/sources/index.ts";
import { ask, connected } from "./client.ts";

interface Proof {
  agent: string;
  version: string;
  calls: { tool: string; args: object; result: string }[];
}

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "test/fixtures/mcp/proofs.json"), "utf8");
const proofs = JSON.parse(text) as Proof[];
const tree = join(root, "test/fixtures/corpora/claude-code/2.1.325/tools/.claude");

describe("tool results recorded from real agents", () => {
  test("exist for every agent whose settings can hold the server", () => {
    expect(proofs.map(({ agent }) => agent).toSorted()).toEqual(
      sources
        .filter(({ abilities }) => abilities.settingsEntries)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  test.each(proofs)("are the answers of the server: $agent $version", async ({ calls }) => {
    const folder = mkdtempSync(join(tmpdir(), "pollux-mcp-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const library = open({ roots: [tree], archive: join(folder, "archive.db") });
    onTestFinished(() => library.close());
    const mask = await SecretMask.load();
    const client = await connected({ library, mask, now: () => new Date("2026-11-15T12:00:00Z") });
    expect(calls.map(({ tool }) => tool)).toEqual(["search", "read"]);
    for (const { tool, args, result } of calls) {
      const { text: answer, isError } = await ask(client, tool, args);
      expect(isError).toBe(false);
      // Some agents wrap the result in text.
      expect(result).toContain(answer);
    }
  });
});

describe("the extension of Gemini CLI", () => {
  const folder = join(root, "extensions/gemini-cli");

  test("has the program's version and starts its server", () => {
    const manifest = JSON.parse(
      readFileSync(join(folder, "gemini-extension.json"), "utf8"),
    ) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: "pollux",
      version,
      mcpServers: { pollux: { command: "pollux", args: ["mcp"] } },
    });
  });

  test("was installed by the real program, which sent its commands to the model", () => {
    const proof = JSON.parse(
      readFileSync(join(root, "test/fixtures/mcp/extension.json"), "utf8"),
    ) as { isInstalled: boolean; commands: { line: string; prompt: string }[] } & Proof;
    expect(proof.isInstalled).toBe(true);
    expect(proof.calls.map(({ tool }) => tool)).toEqual(["search", "read"]);
    expect(proof.calls.every(({ result }) => result.includes("wrote summary"))).toBe(true);
    expect(proof.commands).toHaveLength(3);
    for (const { line, prompt } of proof.commands) {
      const [, name = "", words = ""] = /^\/pollux:(\w+) ?(.*)$/.exec(line) ?? [];
      const command = readFileSync(join(folder, `commands/pollux/${name}.toml`), "utf8");
      const [, wanted = ""] = /prompt = """\n([^]*)"""/.exec(command) ?? [];
      expect(prompt).toBe(wanted.replace("{{args}}", words).trim());
    }
  });

  test.each(["search", "usage", "resume"])("has a command %s that takes arguments", (name) => {
    const command = readFileSync(join(folder, `commands/pollux/${name}.toml`), "utf8");
    expect(command).toMatch(/^description = ".+"\nprompt = """\n[^]*\{\{args\}\}[^]*"""\n$/);
  });
});
