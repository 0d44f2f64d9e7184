import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { commands, DEFAULT_COMMAND } from "../../src/cli/commands/index.ts";
import { EXIT } from "../../src/cli/exit.ts";
import { momentOf } from "../../src/queries/moment.ts";
import { PolluxError } from "../../src/core/error.ts";
import { widthOf } from "../../src/cli/print/width.ts";
import { version } from "../../src/cli/version.ts";
import { smallHome } from "./homes.ts";
import { NOW, run } from "./run.ts";

describe("the list of commands", () => {
  it("matches the files in src/cli/commands", () => {
    const files = readdirSync(new URL("../../src/cli/commands", import.meta.url));
    const named = commands.map(({ name }) => `${name}.ts`);
    expect([...named, "index.ts"].toSorted()).toEqual(files.toSorted());
  });

  it("uses every name once", () => {
    const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.each(commands.map(({ name }) => name))("pollux %s --help", (name) => {
  it("prints a description and examples within 80 columns", async () => {
    const { code, out, err } = await run([name, "--help"]);
    expect({ code, err }).toEqual({ code: EXIT.ok, err: "" });
    expect(out).toMatch(/\nExamples:\n {2}\$ pollux \S/);
    expect(out).toContain(`pollux ${name}`);
    // A long command is not wrapped, so that it can be copied.
    const lines = out.split("\n").filter((line) => !/^ {2}\$ (?!.* {2})/.test(line));
    expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
    expect(out).not.toMatch(/: (\w+): \1\b|…\./);
  });

  it("rejects an unknown flag and suggests a known one", async () => {
    const { code, out, err } = await run([name, "--jsn"]);
    expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
    expect(err).toContain("pollux: unknown option '--jsn'");
    expect(err).toContain("Did you mean --json?");
  });
});

it("the help of show matches its snapshot", async () => {
  expect((await run(["show", "--help"])).out).toMatchInlineSnapshot(`
    "Usage: pollux show [options] <id>

    Show one session as a readable transcript. Thoughts, tool calls and injected
    context are shortened to one line each. Rewound and rewritten messages are
    hidden unless you use --all.

    Arguments:
      id                 a session id or unique prefix, a saved chat, or latest

    Options:
      -a, --all          include rewound and rewritten messages, with the reason
      --thoughts         show thoughts in full
      --tools            show tool calls with full input and output
      --context          show referenced files and injected context in full
      --agent <name>     only this agent: gemini-cli, gemini, claude-code, claude,
                         codex, qwen-code, qwen
      --source <name>    same as --agent: gemini-cli, gemini, claude-code, claude,
                         codex, qwen-code, qwen
      --no-pager         print directly, without $PAGER
      -h, --help         print this help

    Common options:
      -V, --version      print the version
      --root <folder>    read this folder instead of the default ones (repeatable)
      --archive <path>   use this archive instead of the default one
      --store <address>  use this PostgreSQL database (postgres://…) instead of an
                         archive
      --bytes <place>    with --store: store files in this folder or bucket
                         (s3://…), not in the database
      --owner <who>      with a team's --store: read this person's sessions; they
                         are notified
      --reason <text>    with --owner: the reason, which is recorded and shown to
                         them
      --no-refresh       answer from the archive without checking the disk for
                         changes
      --fresh            answer directly from disk, without the archive
      --demo             use the demo sessions that come with Pollux
      --json             print one JSON document
      --width <columns>  output width; without it, piped tables are not cut
      --no-color         print without colours

    Examples:
      $ pollux show latest                 the most recently active session
      $ pollux show 55844c5c --tools       with full tool input and output
      $ pollux show 55844c5c --all         with rewound and rewritten messages
      $ pollux show latest --agent claude  the latest session of one agent
      $ pollux show latest --json          the whole session, as JSON
    "
  `);
});

describe("pollux", () => {
  it("documents commands, common options and exit codes", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(EXIT.ok);
    for (const { name, summary } of commands) {
      expect(out).toContain(name);
      expect(out.replace(/\s+/g, " ")).toContain(summary);
    }
    expect(out).toContain("\nExamples:\n  $ pollux ");
    expect(out).toMatch(/Exit codes:\n\s+0 .*\n\s+1 .*\n\s+2 .*\n\s+3 /);
  });

  it.each([["--version"], ["-V"]])("prints its version with %s", async (flag) => {
    expect(await run([flag])).toEqual({ code: EXIT.ok, out: `${version}\n`, err: "" });
  });

  it("prints the same help with 'help' and --help", async () => {
    expect(await run(["help", "list"])).toEqual(await run(["sessions", "--help"]));
  });

  it.each([
    [["sesions"]],
    [["sesions", "--help"]],
    [["help", "sesions"]],
    [["--json", "sesions", "-n", "2"]],
  ])("suggests a command for a misspelt one: %j", async (args) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
    expect(err).toContain("unknown command 'sesions'");
    expect(err).toContain("Did you mean sessions?");
  });

  it("accepts common options before and after the command, and several roots", async () => {
    const [one, two] = [smallHome(), smallHome()];
    const before = await run(["--root", one, `--root=${two}`, "--json", "doctor"]);
    const after = await run(["doctor", "--json", "--root", one, "--root", two]);
    expect(before).toEqual(after);
    expect(JSON.parse(before.out)).toMatchObject({ roots: [{ path: one }, { path: two }] });
  });

  it("runs the default command if none is given, also with options", async () => {
    const common = ["--root", smallHome()];
    const { name, args } = DEFAULT_COMMAND;
    expect(await run(common)).toEqual(await run([name, ...args, ...common]));
    const json = await run([...common, "--json"]);
    expect(json).toEqual(await run([name, ...args, ...common, "--json"]));
    expect(() => JSON.parse(json.out) as unknown).not.toThrow();
  });
});

/** Runs a command that only throws. */
async function runFailing(error: unknown, ...args: string[]): ReturnType<typeof run> {
  const command: Command = {
    examples: [{ line: "fail", about: "fails" }],
    run: async () => {
      throw error;
    },
  };
  const load = async (): Promise<{ command: Command }> => ({ command });
  return run(["fail", ...args], { commands: [{ name: "fail", summary: "Fails", load }] });
}

describe("errors", () => {
  it.each([
    ["something-else", EXIT.failed],
    ["wrong-usage", EXIT.usage],
    ["no-such-session", EXIT.notFound],
    ["ambiguous-session", EXIT.notFound],
  ])("with code %s exit with %d, a message, a remedy, no stack", async (code, exit) => {
    const error = new PolluxError(code, "It broke.\x1b[2J", { remedy: "Mend it." });
    const expected = { code: exit, out: "", err: "pollux: It broke.\nMend it.\n" };
    expect(await runFailing(error)).toEqual(expected);
    expect(await runFailing(error, "--json")).toEqual(expected);
  });

  it("that are bugs are printed with a stack trace", async () => {
    const { code, out, err } = await runFailing(new TypeError("x is undefined"));
    expect({ code, out }).toEqual({ code: EXIT.failed, out: "" });
    expect(err).toMatch(/^pollux: internal error.*\nTypeError: x is undefined\n +at /);
  });

  it.each([
    [["sessions", "--limit", "0"], /--limit takes a whole number above zero, not "0"\./],
    [["sessions", "--limit", "many"], /--limit takes a whole number/],
    [["sessions", "--since", "soon"], /--since cannot parse "soon" as a time\.\nUse a day/],
    [["sessions", "--since", "2026-02-31"], /--since cannot parse/],
    [["sessions", "--since", "1d", "--until", "2d"], /--since must be before --until/],
    [["sessions", "--status", "good"], /'good' is invalid. Allowed choices are success, failure/],
    [["sessions", "--kind", "other"], /Allowed choices are main, subagent, saved-chat, prompt-log/],
    [["sessions", "extra"], /too many arguments/],
    [["sessions", "--demo", "--root", "."], /--demo and --root cannot be combined/],
    [["sessions", "--root", "/no/such/folder"], /--root: no such folder: "\/no\/such\/folder"/],
    [["show"], /missing required argument 'id'/],
    [["completion", "tcsh"], /Allowed choices are bash, zsh, fish, powershell/],
  ])("report wrong usage: %j", async (args, sentence) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
    expect(err).toMatch(sentence);
  });
});

describe("momentOf", () => {
  const begin = { now: NOW, edge: "begin" } as const;
  it.each([
    ["2026-11-10", "2026-11-10T00:00:00.000Z", "2026-11-11T00:00:00.000Z"],
    ["today", "2026-11-15T00:00:00.000Z", "2026-11-16T00:00:00.000Z"],
    ["yesterday", "2026-11-14T00:00:00.000Z", "2026-11-15T00:00:00.000Z"],
    ["7d", "2026-11-09T00:00:00.000Z", "2026-11-09T00:00:00.000Z"],
    ["2w", "2026-11-02T00:00:00.000Z", "2026-11-02T00:00:00.000Z"],
    ["12h", "2026-11-15T00:00:00.000Z", "2026-11-15T00:00:00.000Z"],
    ["2026-11-10T09:30", "2026-11-10T09:30:00.000Z", "2026-11-10T09:30:00.000Z"],
    ["2026-11-10T09:30:00+02:00", "2026-11-10T07:30:00.000Z", "2026-11-10T07:30:00.000Z"],
  ])("reads %s as %s for --since and %s for --until", (text, from, to) => {
    expect(new Date(momentOf(text, begin) ?? Number.NaN).toISOString()).toBe(from);
    const end = momentOf(text, { now: NOW, edge: "end" });
    expect(new Date(end ?? Number.NaN).toISOString()).toBe(to);
  });

  it.each([
    "",
    "soon",
    "2026-13-01",
    "2026-02-30",
    "7",
    "7y",
    "-3d",
    "2026-11-10 09:30",
    "10/11/2026",
  ])("rejects %j", (text) => expect(momentOf(text, begin)).toBeUndefined());
});
