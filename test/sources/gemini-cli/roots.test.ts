import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { placesOf } from "../../../src/library/places.ts";
import { rootsOf } from "../../../src/sources/gemini-cli/roots.ts";
import { sources } from "../../../src/sources/index.ts";
import type { Environment } from "../../../src/sources/source.ts";
import { madeHome } from "../made-home.ts";

function environmentOf(homeDir: string, more: Partial<Environment> = {}): Environment {
  const tempDir = join(homeDir, "temp");
  return { env: {}, homeDir, tempDir, platform: "linux", requestedRoots: [], ...more };
}

/** `.gemini (the home folder)`, paths relative to the home. */
function described(homeDir: string, more: Partial<Environment> = {}): string[] {
  return rootsOf(environmentOf(homeDir, more)).map(({ path, because, isFound }) => {
    return `${path.replace(`${homeDir}/`, "")} (${because})${isFound ? "" : " not there"}`;
  });
}

const sessions = { "tmp/x/logs.json": "[]" };
function gemini(...folders: string[]): Record<string, string> {
  return Object.fromEntries(
    folders.flatMap((folder) =>
      Object.entries(sessions).map(([name, text]) => [`${folder}/${name}`, text]),
    ),
  );
}

describe("the default roots", () => {
  test("are the home folder, even if it does not exist", () => {
    expect(described(madeHome(gemini(".gemini")))).toEqual([".gemini (the home folder)"]);
    expect(described(madeHome())).toEqual([".gemini (the home folder) not there"]);
  });

  test("are in order of precedence, each with its reason", () => {
    const home = madeHome(gemini(".gemini", "a", "b/.gemini", "c/.gemini", "d"));
    const env = {
      GEMINI_CLI_HOME: join(home, "b"),
      GEMINI_HOME: join(home, "c"),
      GEMINI_DATA_DIR: join(home, "d"),
    };
    expect(described(home, { env })).toEqual([
      "d (GEMINI_DATA_DIR)",
      "b/.gemini (GEMINI_CLI_HOME)",
      "c/.gemini (GEMINI_HOME)",
      ".gemini (the home folder)",
    ]);
    expect(described(home, { env: { ...env, GEMINI_DIR: join(home, "a") } })).toEqual([
      "a (GEMINI_DIR)",
      "d (GEMINI_DATA_DIR)",
      "b/.gemini (GEMINI_CLI_HOME)",
      "c/.gemini (GEMINI_HOME)",
    ]);
  });

  test("accept GEMINI_HOME as the folder itself or its parent", () => {
    const home = madeHome(gemini("itself", "parent/.gemini"));
    expect(described(home, { env: { GEMINI_HOME: join(home, "itself") } })[0]).toBe(
      "itself (GEMINI_HOME)",
    );
    expect(described(home, { env: { GEMINI_HOME: join(home, "parent") } })[0]).toBe(
      "parent/.gemini (GEMINI_HOME)",
    );
  });

  test("accept several folders in GEMINI_DATA_DIR", () => {
    const home = madeHome(gemini("a", "b"));
    const env = { GEMINI_DATA_DIR: `${join(home, "a")},${join(home, "b")}` };
    expect(described(home, { env }).slice(0, 2)).toEqual([
      "a (GEMINI_DATA_DIR)",
      "b (GEMINI_DATA_DIR)",
    ]);
  });

  test("include rare ones if they exist", () => {
    const home = madeHome(
      gemini(
        ".gemini",
        ".cache/.gemini",
        "temp/.gemini",
        "temp/gemini-sandbox-abc123",
        "temp/gemini-sandbox-settings-abc123",
        "temp/other",
      ),
    );
    expect(described(home)).toEqual([
      ".gemini (the home folder)",
      ".cache/.gemini (the macOS sandbox of 0.61)",
      "temp/.gemini (a run without a home folder)",
      "temp/gemini-sandbox-abc123 (a container sandbox)",
      "temp/gemini-sandbox-settings-abc123 (a container sandbox)",
    ]);
  });

  test("are listed once if two reasons lead to one", () => {
    const home = madeHome(gemini(".gemini"));
    expect(described(home, { env: { GEMINI_CLI_HOME: home } })).toEqual([
      ".gemini (GEMINI_CLI_HOME)",
    ]);
    symlinkSync(join(home, ".gemini"), join(home, "link"));
    expect(described(home, { env: { GEMINI_DATA_DIR: join(home, "link") } })).toEqual([
      "link (GEMINI_DATA_DIR)",
    ]);
  });

  test("ignore empty variables", () => {
    const home = madeHome(gemini(".gemini"));
    const env = { GEMINI_DIR: "", GEMINI_CLI_HOME: "", GEMINI_HOME: "", GEMINI_DATA_DIR: "" };
    expect(described(home, { env })).toEqual([".gemini (the home folder)"]);
  });
});

describe("a given root", () => {
  test("replaces the default ones", () => {
    const home = madeHome(gemini(".gemini", "backup/.gemini"));
    const requestedRoots = [join(home, "backup")];
    const env = { GEMINI_CLI_HOME: home };
    expect(described(home, { requestedRoots, env })).toEqual(["backup/.gemini (--root)"]);
  });

  test("may be the folder itself, its parent, or any folder above", () => {
    const home = madeHome(gemini("a/.gemini", "all/one/.gemini", "all/deep/er/two/.gemini"));
    expect(described(home, { requestedRoots: [join(home, "a/.gemini")] })).toEqual([
      "a/.gemini (--root)",
    ]);
    expect(described(home, { requestedRoots: [join(home, "a")] })).toEqual(["a/.gemini (--root)"]);
    expect(described(home, { requestedRoots: [join(home, "all")] })).toEqual([
      "all/deep/er/two/.gemini (--root)",
      "all/one/.gemini (--root)",
    ]);
  });

  test("may be the folder with the sessions, for every agent", () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const files = [
      ["gemini-cli", ".gemini", "tmp", "x/logs.json"],
      ["claude-code", ".claude", "projects", `-p/${id}.jsonl`],
      ["claude-code", "moved", "projects", `-p/${id}.jsonl`],
      ["codex", ".codex", "sessions", `2026/11/15/rollout-2026-11-15T10-00-00-${id}.jsonl`],
      ["codex", ".codex", "archived_sessions", `rollout-2026-11-15T10-00-00-${id}.jsonl`],
      ["qwen-code", ".qwen", "projects", `-p/chats/${id}.jsonl`],
    ] as const;
    for (const [agent, name, inner, file] of files) {
      const home = madeHome({ [`${name}/${inner}/${file}`]: "{}" });
      const asked = environmentOf(home, { requestedRoots: [join(home, name, inner)] });
      const places = placesOf(sources, asked).map((place) => [place.source.id, place.root.path]);
      expect(places).toEqual([[agent, join(home, name)]]);
    }
  });

  test("may be too deep: then the answer names the right folder", () => {
    const home = madeHome({ ".claude/projects/-p/11111111-1111-4111-8111-111111111111.jsonl": "" });
    const asked = environmentOf(home, { requestedRoots: [join(home, ".claude/projects/-p")] });
    const [place] = placesOf(sources, asked);
    expect(place?.root.because).toBe(
      `--root, inside of ${join(home, ".claude")}: use that instead`,
    );
  });

  test("named tmp is part of a root only if its parent's name fits", () => {
    const home = madeHome({ "tmp/x/logs.json": "[]" });
    const [place] = placesOf(sources, environmentOf(home, { requestedRoots: [join(home, "tmp")] }));
    expect(place?.root.path).toBe(join(home, "tmp"));
  });

  test("may be given twice; a missing one gives nothing", () => {
    const home = madeHome(gemini("a/.gemini"));
    const requestedRoots = [join(home, "a"), join(home, "a/.gemini"), join(home, "gone")];
    expect(described(home, { requestedRoots })).toEqual(["a/.gemini (--root)"]);
  });

  test("that is a file, or has nothing of Gemini CLI, gives nothing", () => {
    const home = madeHome({ "a.txt": "x", "other/tmp/notes.txt": "x" });
    expect(described(home, { requestedRoots: [join(home, "a.txt"), join(home, "other")] })).toEqual(
      [],
    );
  });

  test("is recognised by its content: homes of Qwen Code are not taken", () => {
    const chat = (type: string): string => JSON.stringify({ messages: [{ type, content: "x" }] });
    const home = madeHome({
      ...gemini(".qwen"),
      "old-qwen/tmp/x/chats/session-1.json": chat("qwen"),
      "old-gemini/tmp/x/chats/session-1.json": chat("gemini"),
    });
    expect(described(home, { requestedRoots: [home] })).toEqual(["old-gemini (--root)"]);
    expect(described(home, { requestedRoots: [join(home, ".qwen")] })).toEqual([]);
  });

  test("with a cycle of links below it is searched to an end", () => {
    const home = madeHome(gemini("all/one/.gemini"));
    mkdirSync(join(home, "all/two"));
    symlinkSync(join(home, "all"), join(home, "all/two/again"));
    expect(described(home, { requestedRoots: [join(home, "all")] })).toEqual([
      "all/one/.gemini (--root)",
    ]);
  });
});
