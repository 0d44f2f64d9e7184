import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands/index.ts";
import { run } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "pollux-completion-"));

async function script(shell: string): Promise<string> {
  const { code, out } = await run(["completion", shell]);
  expect(code).toBe(0);
  const path = join(folder, shell);
  writeFileSync(path, out);
  return path;
}

function has(program: string): boolean {
  return spawnSync(program, ["-c", "true"]).status === 0;
}

describe.each(["bash", "zsh", "fish", "powershell"])("pollux completion %s", (shell) => {
  it("contains every command and option", async () => {
    const { out } = await run(["completion", shell]);
    for (const { name, aliases = [], load } of commands) {
      const { command } = await load();
      for (const word of [name, ...aliases]) expect(out).toMatch(new RegExp(`\\b${word}\\b`));
      for (const { flags } of command.options ?? []) {
        const long = /--([\w-]+)/.exec(flags)?.[1] ?? "none";
        expect(out).toMatch(new RegExp(shell === "fish" ? ` -l ${long} ` : `--${long}\\b`));
      }
    }
  });
});

/** The completions of bash for the last word. */
async function complete(...words: string[]): Promise<string[]> {
  const body =
    'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pollux; ' +
    'printf "%s\\n" "${COMPREPLY[@]}"';
  const args = ["--norc", "-c", body, await script("bash"), "pollux", ...words];
  return execFileSync("bash", args, { encoding: "utf8" }).split("\n").filter(Boolean);
}

describe.skipIf(!has("bash"))("bash completion", () => {
  it.each([
    [["ses"], ["sessions"]],
    [["--de"], ["--demo"]],
    [["sessions", "--stat"], ["--status"]],
    [
      ["--root", "/x", "list", "--kind", "s"],
      ["subagent", "saved-chat"],
    ],
    [["list", "--status", "=", "fa"], ["failure"]],
    [["list", "--since", ""], []],
    [["show", ""], ["latest"]],
    [["show", "--too"], ["--tools"]],
    [["completion", "po"], ["powershell"]],
    [["--root", "/us"], ["/usr"]],
    [["unknown", ""], []],
  ])("completes %j", async (words, expected) => expect(await complete(...words)).toEqual(expected));
});

describe.skipIf(!has("zsh"))("zsh completion", () => {
  it("loads", async () => {
    const path = await script("zsh");
    const load = `autoload -U compinit; compinit -u -d ${folder}/dump; source ${path}`;
    const body = `${load}; print $_comps[pollux]`;
    const out = execFileSync("zsh", ["-f", "-c", body], { encoding: "utf8" });
    expect(out.trim()).toBe("_pollux");
  });
});

describe.skipIf(!has("fish"))("fish completion", () => {
  it.each([
    ["pollux ses", ["sessions"]],
    ["pollux list --kind s", ["saved-chat", "subagent"]],
    ["pollux show ", ["latest"]],
    ["pollux show --too", ["--tools"]],
  ])("completes %j", async (line, expected) => {
    const body = `source ${await script("fish")}; complete -C '${line}'`;
    const out = execFileSync("fish", ["--no-config", "-c", body], { encoding: "utf8" });
    const words = out
      .split("\n")
      .filter(Boolean)
      .map((offer) => offer.split("\t")[0]);
    expect(words).toEqual(expected);
  });
});
