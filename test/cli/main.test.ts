import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { commands, DEFAULT_COMMAND } from "../../src/cli/commands/index.ts";
import { EXIT } from "../../src/cli/exit.ts";
import { momentOf } from "../../src/queries/moment.ts";
import { PolluxError } from "../../src/core/error.ts";
import { version } from "../../src/cli/version.ts";
import { smallHome } from "./homes.ts";
import { NOW, run } from "./run.ts";

describe("the list of commands", () => {
  it("is the folder of commands", () => {
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
  it("explains itself, with examples, within 80 columns", async () => {
    const { code, out, err } = await run([name, "--help"]);
    expect({ code, err }).toEqual({ code: EXIT.ok, err: "" });
    expect(out).toMatch(/\nExamples:\n {2}\$ pollux \S/);
    expect(out).toContain(`pollux ${name}`);
    const examples = out.indexOf("\nExamples:");
    for (const line of out.slice(0, examples).split("\n"))
      expect(line.length).toBeLessThanOrEqual(80);
  });

  it("refuses an unknown flag and suggests one", async () => {
    const { code, out, err } = await run([name, "--jsn"]);
    expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
    expect(err).toContain("pollux: unknown option '--jsn'");
    expect(err).toContain("Did you mean --json?");
  });
});

it("the help of a command looks like this", async () => {
  expect((await run(["show", "--help"])).out).toMatchInlineSnapshot(`
    "Usage: pollux show [options] <id>

    Show one session as a readable transcript. Thoughts, tool calls and injected
    context are folded to a line each; what was rewound or rewritten is left out
    until it is asked for.

    Arguments:
      id                 an id, an unambiguous beginning of it, a saved chat, or
                         latest

    Options:
      -a, --all          also what was rewound or rewritten, with the reason
      --thoughts         thoughts in full
      --tools            tool calls with all they were given and gave back
      --context          referenced files and injected context in full
      --agent <name>     of this agent: gemini-cli, gemini, claude-code, claude,
                         codex, qwen-code, qwen
      --source <name>    the same as --agent: gemini-cli, gemini, claude-code,
                         claude, codex, qwen-code, qwen
      --no-pager         print at once, not through $PAGER
      -h, --help         print this help

    Common options:
      -V, --version      print the version
      --root <folder>    read this folder instead of the usual places (repeatable)
      --archive <path>   keep and answer from this archive instead of the usual one
      --store <address>  keep and answer from this PostgreSQL (postgres://…) instead
                         of an archive
      --bytes <place>    with --store: bytes go to this folder or bucket (s3://…),
                         not into the database
      --owner <who>      with --store: on a team's store, whose sessions; recorded,
                         and told to them
      --reason <text>    with --owner: why you look at them
      --no-refresh       answer from the archive without a look at the disk
      --fresh            answer straight from the disk, without the archive
      --demo             read the sessions that come along with Pollux
      --json             print one JSON document
      --width <columns>  print so wide; piped tables are not cut otherwise
      --no-color         print without colours

    Examples:
      $ pollux show latest                 the session that was active last
      $ pollux show 55844c5c --tools       with everything its tools did
      $ pollux show 55844c5c --all         with what was taken back
      $ pollux show latest --agent claude  the latest of one agent
      $ pollux show latest --json          all there is to know, for programs
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

  it.each([["--version"], ["-V"]])("tells its version with %s", async (flag) => {
    expect(await run([flag])).toEqual({ code: EXIT.ok, out: `${version}\n`, err: "" });
  });

  it("gives the help of a command in two ways", async () => {
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

  it("takes common options before and after the command, and several roots", async () => {
    const [one, two] = [smallHome(), smallHome()];
    const before = await run(["--root", one, `--root=${two}`, "--json", "doctor"]);
    const after = await run(["doctor", "--json", "--root", one, "--root", two]);
    expect(before).toEqual(after);
    expect(JSON.parse(before.out)).toMatchObject({ roots: [{ path: one }, { path: two }] });
  });

  it("runs the default command when none is named, also with options", async () => {
    const common = ["--root", smallHome()];
    const { name, args } = DEFAULT_COMMAND;
    expect(await run(common)).toEqual(await run([name, ...args, ...common]));
    const json = await run([...common, "--json"]);
    expect(json).toEqual(await run([name, ...args, ...common, "--json"]));
    expect(() => JSON.parse(json.out) as unknown).not.toThrow();
  });
});

/** Runs a command that does nothing but throw. */
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
  ])("of code %s end with %d, a sentence and a remedy, and no stack", async (code, exit) => {
    const error = new PolluxError(code, "It broke.\x1b[2J", { remedy: "Mend it." });
    const expected = { code: exit, out: "", err: "pollux: It broke.\nMend it.\n" };
    expect(await runFailing(error)).toEqual(expected);
    expect(await runFailing(error, "--json")).toEqual(expected);
  });

  it("of ours are reported with their place", async () => {
    const { code, out, err } = await runFailing(new TypeError("x is undefined"));
    expect({ code, out }).toEqual({ code: EXIT.failed, out: "" });
    expect(err).toMatch(/^pollux: something went wrong.*\nTypeError: x is undefined\n +at /);
  });

  it.each([
    [["sessions", "--limit", "0"], /--limit wants a whole number above zero, not "0"\./],
    [["sessions", "--limit", "many"], /--limit wants a whole number/],
    [["sessions", "--since", "soon"], /--since does not understand "soon"\.\nGive a day/],
    [["sessions", "--since", "2026-02-31"], /--since does not understand/],
    [["sessions", "--since", "1d", "--until", "2d"], /--since lies after --until/],
    [["sessions", "--status", "good"], /'good' is invalid. Allowed choices are success, failure/],
    [["sessions", "--kind", "other"], /Allowed choices are main, subagent, saved-chat, prompt-log/],
    [["sessions", "extra"], /too many arguments/],
    [["sessions", "--demo", "--root", "."], /--demo and --root exclude each other/],
    [["sessions", "--root", "/no/such/folder"], /--root: there is no folder "\/no\/such\/folder"/],
    [["show"], /missing required argument 'id'/],
    [["completion", "tcsh"], /Allowed choices are bash, zsh, fish, powershell/],
  ])("%j is wrong usage, in a sentence", async (args, sentence) => {
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
  ])("takes %s from %s and to %s", (text, from, to) => {
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
  ])("refuses %j", (text) => expect(momentOf(text, begin)).toBeUndefined());
});
