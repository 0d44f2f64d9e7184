import { CommanderError } from "commander";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type { Context, ListedCommand } from "./command.ts";
import { COMMON_OPTIONS } from "./options/every-command.ts";
import { commands, DEFAULT_COMMAND } from "./commands/index.ts";
import type { ExitCode } from "./exit.ts";
import { EXIT, exitCodeOf } from "./exit.ts";
import { demoNow } from "./package-folder.ts";
import { openLibrary } from "./open-library.ts";
import { Options } from "./options/options.ts";
import { firstKeepLines } from "./print/first-keep.ts";
import { progressOn } from "./print/progress.ts";
import { safeBlock, safeLine } from "./print/safe.ts";
import { colourMode, Style } from "./print/style.ts";
import type { OutStream } from "./print/writer.ts";
import { wrap } from "./print/width.ts";
import { Writer } from "./print/writer.ts";
import type { Parsed } from "./program.ts";
import { defineProgram } from "./program.ts";

/** All external resources of a run; replaced in tests. */
export interface World {
  stdout: OutStream;
  stderr: OutStream;
  env: Readonly<Record<string, string | undefined>>;
  now: Date;
  commands?: readonly ListedCommand[];
}

/** Runs the program. The only place that exits the process. */
export async function start(): Promise<void> {
  // The reader closed the pipe (`| head`).
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
  });
  const { stdout, stderr, env } = process;
  const code = await main(process.argv.slice(2), { stdout, stderr, env, now: new Date() });
  // Interrupted work is still running and would continue.
  if (code === EXIT.interrupted) process.exit(code);
  process.exitCode = code;
}

/** Parses the arguments, runs the command and returns the exit code. */
export async function main(argv: readonly string[], world: World): Promise<ExitCode> {
  const err = new Writer(world.stderr);
  try {
    const parsed = await parse(argv, world);
    return parsed === undefined ? EXIT.ok : await parsed.command.run(contextOf(parsed, world));
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof PolluxError) {
      const sentences = [`pollux: ${safeLine(error.message)}`, safeLine(error.remedy ?? "")];
      const columns = world.stderr.isTTY === true ? columnsOf(world) : Number.POSITIVE_INFINITY;
      for (const text of sentences.filter((each) => each !== ""))
        for (const line of wrap(text, columns)) await err.line(line);
      return exitCodeOf(error.code);
    }
    // An internal error: the stack helps whoever reads the report.
    const where = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await err.line(
      `pollux: internal error. Please report it with the lines below.\n${safeBlock(where)}`,
    );
    return EXIT.failed;
  }
}

async function parse(argv: readonly string[], world: World): Promise<Parsed | undefined> {
  const listed = world.commands ?? commands;
  const { name, args } = commandOf(argv);
  const entry = listed.find((item) => item.name === name || item.aliases?.includes(name ?? ""));
  const chosen = entry && { name: entry.name, ...(await entry.load()) };
  let result: Parsed | undefined;
  const program = defineProgram(
    {
      listed,
      ...(chosen ? { chosen } : {}),
      columns: columnsOf(world),
      write: {
        out: (text) => void world.stdout.write(text),
        err: (text) => void world.stderr.write(text),
      },
    },
    (parsed) => (result = parsed),
  );
  // With `--help` in the arguments, Commander would print its own help for an unknown command.
  const isUnknown = !entry && name !== undefined && name !== "help" && !name.startsWith("-");
  program.parse(isUnknown ? [name] : [...args], { from: "user" });
  return result;
}

const VALUED = new Set(
  COMMON_OPTIONS.filter(({ flags }) => flags.includes("<")).map(({ flags }) => flags.split(" ")[0]),
);
const FLAGS = new Set(COMMON_OPTIONS.map(({ flags }) => flags.split(" ")[0]));
const ASKS_PROGRAM = new Set(["-h", "--help", "-V", "--version"]);

/** Finds the command's name before its options are known; common options may come first. */
function commandOf(argv: readonly string[]): { name?: string; args: readonly string[] } {
  let at = 0;
  while (at < argv.length && FLAGS.has(argv[at]?.split("=")[0])) {
    at += VALUED.has(argv[at]) ? 2 : 1;
  }
  const first = argv[at];
  if (first === "help") return { name: argv[at + 1] ?? "help", args: argv };
  if (first !== undefined && (ASKS_PROGRAM.has(first) || !first.startsWith("-"))) {
    return { name: first, args: argv };
  }
  const { name, args } = DEFAULT_COMMAND;
  return { name, args: [name, ...args, ...argv] };
}

function contextOf({ values, args }: Parsed, world: World): Context {
  const now = values["demo"] === true ? demoNow() : world.now;
  const options = new Options(values, now);
  const isTerminal = world.stdout.isTTY === true;
  const isRefused = !options.has("color");
  let library: ReturnType<typeof openLibrary> | undefined;
  return {
    options,
    args,
    isJson: options.has("json"),
    out: new Writer(world.stdout),
    err: new Writer(world.stderr),
    style: new Style(colourMode({ isTerminal, isRefused, env: world.env })),
    isTerminal,
    columns: Math.max(options.count("width") ?? columnsOf(world), LEAST_COLUMNS),
    tableColumns: options.count("width") ?? askedColumns(world) ?? Number.POSITIVE_INFINITY,
    now,
    env: world.env,
    commands: world.commands ?? commands,
    library: () => (library ??= openLibrary(options, world.env, reportsOn(world))),
  };
}

/** Progress and remarks, written to stderr during the command. */
function reportsOn({ stderr }: World): Parameters<typeof openLibrary>[2] {
  const err = new Writer(stderr);
  return {
    ...optional("progress", progressOn(stderr)),
    remark: (sentence) => void err.line(`pollux: ${safeLine(sentence)}`),
    firstKeep: (found) => {
      for (const line of firstKeepLines(found, stderr.columns ?? 120)) void err.line(line);
    },
  };
}

const LEAST_COLUMNS = 40;

/** In a pipe the output usually still ends up on the terminal (`| less`), so use its width. */
function columnsOf(world: World): number {
  return Math.max(askedColumns(world) ?? world.stderr.columns ?? 80, LEAST_COLUMNS);
}

/** Width of the output; undefined for a pipe or a file. */
function askedColumns({ stdout, env }: World): number | undefined {
  const asked = Number(env["COLUMNS"] ?? Number.NaN);
  return stdout.columns ?? (Number.isInteger(asked) && asked > 0 ? asked : undefined);
}
