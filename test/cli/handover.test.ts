// @module-tag slow
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { cpSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { open } from "../../src/library/library.ts";
import type { HandoverAnswer } from "../../src/library/handover.ts";
import type { Transcript } from "../../src/queries/transcript.ts";
import type { ToolsReport } from "../../src/queries/tools.ts";
import type { UsageReport } from "../../src/queries/usage/usage.ts";
import type { Run } from "./run.ts";
import { NOW, run } from "./run.ts";

const corpora = join(import.meta.dirname, "../fixtures/corpora");
const TREES = {
  gemini: "gemini-cli/0.61.0/tools",
  claude: "claude-code/2.1.325/parallel",
  codex: "codex/0.166.0/tools",
  qwen: "qwen-code/0.24.4/tools",
};
type Agent = keyof typeof TREES;
const AGENTS = Object.keys(TREES) as Agent[];

interface Place {
  folder: string;
  project: string;
  ask(...args: string[]): Promise<Run>;
  json<T>(...args: string[]): Promise<T>;
}

/** A copy of a recorded home and an empty project in a temporary folder. */
function placeWith(tree: string): Place {
  const folder = mkdtempSync(join(tmpdir(), "pollux-handover-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(corpora, tree), join(folder, "home"), { recursive: true });
  const project = join(folder, "ledger");
  mkdirSync(project);
  const env = { POLLUX_HOME: join(folder, "pollux"), PATH: "" };
  const ask = (...args: string[]): Promise<Run> => {
    return run([...args, "--root", join(folder, "home"), "--fresh"], { env });
  };
  return {
    folder,
    project,
    ask,
    json: async (...args) => {
      const { code, out, err } = await ask(...args, "--json");
      expect([code, err]).toEqual([0, ""]);
      return JSON.parse(out);
    },
  };
}

function handedOver(place: Place, to: Agent, ...more: string[]): Promise<HandoverAnswer> {
  const into = join(place.folder, "home", `.${to}`);
  const where = ["--into", into, "--project", place.project];
  return place.json<HandoverAnswer>("handover", "latest", "--to", to, ...where, ...more);
}

// Opening a pipe would block: on failure this test hangs.
test.skipIf(process.platform === "win32")(
  "reports an index that is a pipe before writing anything (needs mkfifo)",
  async () => {
    const place = placeWith(TREES.claude);
    const into = join(place.folder, "home", ".codex");
    mkdirSync(join(into, "sessions"), { recursive: true });
    execFileSync("mkfifo", [join(into, "session_index.jsonl")]);
    const where = ["--into", into, "--project", place.project];
    const { code, err } = await place.ask("handover", "latest", "--to", "codex", ...where);
    expect([code, err]).toEqual([1, expect.stringContaining("is not a regular file")]);
    expect(readdirSync(join(into, "sessions"))).toEqual([]);
  },
);

const PAIRS = AGENTS.flatMap((from) => AGENTS.map((to) => ({ from, to })));

describe.each(PAIRS)("from $from to $to", ({ from, to }) => {
  test("links both sessions, counts usage once, and can be undone", async () => {
    const place = placeWith(TREES[from]);
    const usage = await place.json<UsageReport>("usage", "--by", "agent");
    const tools = await place.json<ToolsReport>("tools");
    const planned = await handedOver(place, to, "--dry-run");
    expect(existsSync(planned.file)).toBe(false);
    const answer = await handedOver(place, to);
    expect(answer).toMatchObject({ outcome: "written", carried: planned.carried });
    expect(answer.tokens).toBe(planned.tokens);

    const after = await place.json<UsageReport>("usage", "--by", "agent");
    expect(after.totals).toEqual(usage.totals);
    const { coverage: _files, ...used } = await place.json<ToolsReport>("tools");
    expect(tools).toMatchObject(used);
    const story = await place.json<Transcript>("show", answer.sessionId);
    expect(story.session).toMatchObject({
      title: answer.title,
      prompts: 0,
      source: answer.to.source,
    });
    expect(story.continues).toMatchObject([{ id: answer.from.sessionId, how: "handover" }]);
    expect(story.messages.every(({ isInherited }) => isInherited)).toBe(true);
    const origin = await place.json<Transcript>("show", answer.from.sessionId);
    expect(origin.continuedBy).toMatchObject([{ id: answer.sessionId, source: answer.to.source }]);

    const undone = await place.ask("handover", "--undo", answer.sessionId.slice(0, 8));
    expect([undone.code, undone.out]).toEqual([0, expect.stringMatching(/^Removed session /)]);
    expect(existsSync(answer.file)).toBe(false);
    expect((await place.ask("handover", "--undo", answer.sessionId)).code).toBe(3);
  });
});

describe("a handover", () => {
  test("prints what it does and how to continue", async () => {
    const place = placeWith(TREES.gemini);
    const into = ["--into", join(place.folder, "home", ".claude"), "--project", place.project];
    const { code, out } = await place.ask("handover", "latest", "--to", "claude", ...into);
    expect(code).toBe(0);
    expect(out).toMatch(/^Handed over to Claude Code\./);
    expect(out).toMatch(/Resume it: {2}cd \S*ledger && claude --resume/);
    expect(out).toContain("none of it is cached");
    const id = /session {5}(\S+)/.exec(out)?.[1] ?? "";
    const shown = await place.ask("show", id);
    expect(shown.out).toMatch(/^from {6}\S+ of Gemini CLI \(handover\)/m);
    expect(shown.out).not.toContain("[Continued from");
  });

  test("counts new messages in the target session, and then cannot be undone", async () => {
    const place = placeWith(TREES.gemini);
    const answer = await handedOver(place, "claude");
    const next = { type: "user", uuid: "u-new", parentUuid: null, sessionId: answer.sessionId };
    const message = { role: "user", content: "and now?" };
    const at = { timestamp: "2026-11-15T12:00:01.000Z", cwd: place.project, version: "2.1.325" };
    appendFileSync(answer.file, `${JSON.stringify({ ...next, ...at, message })}\n`);
    const story = await place.json<Transcript>("show", answer.sessionId);
    expect(story.session.prompts).toBe(1);
    expect(story.messages.filter(({ isInherited }) => !isInherited)).toMatchObject([
      { text: "and now?" },
    ]);
    const kept = await place.ask("handover", "--undo", answer.sessionId);
    expect([kept.code, kept.err]).toEqual([1, expect.stringContaining("was continued in")]);
    expect(existsSync(answer.file)).toBe(true);
  });

  test("continued by the real Claude Code 2.0.77 counts only its new messages", async () => {
    const root = join(import.meta.dirname, "../fixtures/handover");
    const { out } = await run(["show", "latest", "--root", root, "--fresh", "--json"]);
    const { session, messages, continues }: Transcript = JSON.parse(out);
    expect(session).toMatchObject({ prompts: 1, tokens: { total: 113_650 } });
    expect(session.toolCalls).toMatchObject({ total: 1, success: 1 });
    expect(continues).toMatchObject([{ how: "handover", source: null, title: null }]);
    const own = messages.filter(({ isInherited }) => !isInherited);
    expect(own[0]).toMatchObject({ isPrompt: true, text: "Check hostile by screen: go on." });
    expect(messages.indexOf(own[0] as (typeof messages)[number])).toBe(
      messages.length - own.length,
    );
  });

  test("fails with a message if the session could not be continued", async () => {
    const place = placeWith(TREES.gemini);
    const home = ["handover", "latest", "--to", "gemini", "--into", join(place.folder, "home")];
    const gone = await place.ask(...home, "--project", join(place.folder, "gone"));
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("gone does not exist")]);
    const bare = open({
      roots: [join(place.folder, "home")],
      environment: { homeDir: place.folder, env: { POLLUX_HOME: join(place.folder, "pollux") } },
    });
    const request = { to: "claude", projectPath: place.project, nowMs: NOW.getTime() };
    await expect(bare.handover("latest", request)).rejects.toThrow("Claude Code is not installed");
    expect(readdirSync(place.folder).toSorted()).toEqual(["home", "ledger"]);
    const asked = [
      ["handover", "latest"],
      ["handover", "--to", "codex"],
      ["handover", "latest", "--to", "nobody"],
      ["handover", "latest", "--undo", "x"],
    ];
    for (const args of asked) expect((await place.ask(...args)).code, args.join(" ")).toBe(2);
  });

  test("requires an installed and recent program, unless a version is given", async () => {
    const place = placeWith(TREES.gemini);
    mkdirSync(join(place.folder, ".claude"));
    const bin = join(place.folder, "versions", "1.0.128");
    const library = (path: string) => {
      return open({
        roots: [join(place.folder, "home")],
        environment: {
          homeDir: place.folder,
          env: { POLLUX_HOME: join(place.folder, "pollux"), PATH: path },
        },
      });
    };
    const request = { to: "claude", projectPath: place.project, nowMs: NOW.getTime() };
    // A folder of the agent, perhaps left over, does not mean that it is installed.
    const refused = library("").handover("latest", request);
    await expect(refused).rejects.toThrow("Claude Code is not installed here");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "claude"), "", { mode: 0o755 });
    const old = library(bin).handover("latest", { ...request, writes: "dry-run" });
    await expect(old).rejects.toThrow(
      "Claude Code 1.0.128 is too old to resume handed-over sessions",
    );
    const named = await library("").handover("latest", { ...request, forVersion: "2.1.325" });
    expect(named).toMatchObject({ outcome: "written", to: { program: null, version: "2.1.325" } });
    const elsewhere = { ...request, absent: "is-elsewhere" } as const;
    expect(await library("").handover("latest", elsewhere)).toMatchObject({ outcome: "written" });
  });

  test("rejects a project path that is a file", async () => {
    const place = placeWith(TREES.gemini);
    const file = join(place.project, "notes.md");
    writeFileSync(file, "a note");
    const into = ["--into", join(place.folder, "home", ".codex"), "--project", file];
    const refused = await place.ask("handover", "latest", "--to", "codex", ...into);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("notes.md is not a folder"),
    ]);
  });

  test("resume --in prints the command that continues the session", async () => {
    const place = placeWith(TREES.claude);
    const into = ["--into", join(place.folder, "home", ".codex"), "--project", place.project];
    const { code, out, err } = await place.ask("resume", "latest", "--in", "codex", ...into);
    expect([code, out]).toEqual([0, expect.stringMatching(/^cd \S*ledger && codex resume \S+\n$/)]);
    expect(err).toContain("Handed over to Codex");
  });
});
