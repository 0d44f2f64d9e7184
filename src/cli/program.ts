import { Argument, Command as Parser, Option } from "commander";
import type { ArgumentSpec, Command, Example, ListedCommand, OptionSpec } from "./command.ts";
import { COMMON_OPTIONS } from "./options/every-command.ts";
import { safeBlock } from "./print/safe.ts";
import { pad, widthOf, wrap } from "./print/width.ts";
import { description, version } from "./version.ts";

const EXIT_CODES = `
Exit codes:
  0  done
  1  failed
  2  wrong usage
  3  session not found, or ambiguous
  130  stopped by Control-C`;

export const EXAMPLES: readonly Example[] = [
  { line: "", about: "spending, projects and sessions on this machine" },
  { line: "--demo", about: "the same, with demo sessions" },
  { line: "show latest", about: "the most recently active session" },
  { line: "doctor", about: "what Pollux found, and what it could not read" },
];

/** The result of parsing: the command to run, with its options and arguments. */
export interface Parsed {
  command: Command;
  values: Readonly<Record<string, unknown>>;
  args: readonly string[];
}

export interface Definition {
  listed: readonly ListedCommand[];
  /** The command to run, loaded; the others are known by name only. */
  chosen?: { name: string; command: Command };
  columns: number;
  write: { out: (text: string) => void; err: (text: string) => void };
}

/** Builds the parser, with help and error messages, from the definitions. */
export function defineProgram(definition: Definition, parsed: (parsed: Parsed) => void): Parser {
  const { listed, chosen } = definition;
  const program = new Parser("pollux").description(description).exitOverride();
  // Some commands have their own --version option.
  const isTaken = chosen?.command.options?.some(({ flags }) => flags.startsWith("--version "));
  if (isTaken !== true) program.version(version, "-V, --version", "print the version");
  program.helpOption("-h, --help", "print help; see also `pollux <command> --help`");
  program.helpCommand("help [command]", "print help for a command");
  // Commands copy these two settings when they are added, so set them first.
  program.configureOutput({
    writeOut: definition.write.out,
    writeErr: definition.write.err,
    getOutHelpWidth: () => Math.min(definition.columns, 100),
    getErrHelpWidth: () => Math.min(definition.columns, 100),
    outputError: (text, write) => write(safeBlock(text.replace(/^error: /, "pollux: "))),
  });
  program.configureHelp({
    showGlobalOptions: true,
    minWidthToWrap: 16,
    optionDescription: withChoices,
    argumentDescription: withChoices,
    styleTitle: (title) => title.replace("Global Options:", "Common options:"),
  });
  for (const option of COMMON_OPTIONS) program.addOption(optionOf(option));
  for (const entry of listed) {
    const parser = program
      .command(entry.name)
      .summary(entry.summary)
      .aliases(entry.aliases ?? []);
    if (entry.name === chosen?.name) {
      const { columns } = definition;
      defineCommand(parser, { listed: entry, command: chosen.command, columns, parsed });
    }
  }
  program.addHelpText("after", `${exampleText(EXAMPLES, definition.columns)}\n${EXIT_CODES}`);
  return program;
}

function defineCommand(
  parser: Parser,
  what: {
    listed: ListedCommand;
    command: Command;
    columns: number;
    parsed: (parsed: Parsed) => void;
  },
): void {
  const { listed, command, columns, parsed } = what;
  const { about, examples } = command;
  parser.helpOption("-h, --help", "print this help");
  const summary = listed.summary.replace(/(?<!…)$/, ".");
  parser.description(about === undefined ? summary : `${summary} ${about}`);
  for (const argument of command.arguments ?? []) parser.addArgument(argumentOf(argument));
  for (const option of command.options ?? []) parser.addOption(optionOf(option));
  parser.addHelpText("after", exampleText(examples, columns));
  parser.showHelpAfterError(`\`pollux ${listed.name} --help\` shows the usage.`);
  parser.allowExcessArguments(false);
  parser.action(() => {
    const args = parser.processedArgs.flat().filter((arg) => arg !== undefined);
    parsed({ command, values: parser.optsWithGlobals(), args: args.map(String) });
  });
}

function optionOf({ flags, about, choices, isRepeatable }: OptionSpec): Option {
  const option = new Option(flags, about);
  if (choices) option.choices(choices);
  if (isRepeatable !== true) return option;
  // Commander would otherwise keep only the last value.
  const parse = option.parseArg;
  return option.argParser((value: string, before: unknown) => [
    ...(Array.isArray(before) ? before : []),
    parse ? parse(value, undefined) : value,
  ]);
}

function withChoices({ description: about, argChoices }: Option | Argument): string {
  return argChoices ? `${about}: ${argChoices.join(", ")}` : about;
}

function argumentOf({ name, about, choices }: ArgumentSpec): Argument {
  const argument = new Argument(name, about);
  return choices ? argument.choices(choices) : argument;
}

/** Explanations stand beside the commands if all fit, otherwise below them. */
function exampleText(examples: readonly Example[], columns: number): string {
  const width = Math.max(...examples.map(({ line }) => widthOf(line)));
  const beside = examples.map(({ line, about }) => `  $ pollux ${pad(line, width)}  ${about}`);
  const below = examples.flatMap(({ line, about }) => {
    return [`  $ pollux ${line}`, ...wrap(about, columns - 6).map((part) => `      ${part}`)];
  });
  const lines = beside.every((line) => widthOf(line) <= columns) ? beside : below;
  return ["", "Examples:", ...lines].join("\n");
}
