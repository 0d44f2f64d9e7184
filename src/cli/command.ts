import type { Library } from "../library/library.ts";
import type { ExitCode } from "./exit.ts";
import type { Options } from "./options/options.ts";
import type { Style } from "./print/style.ts";
import type { Writer } from "./print/writer.ts";

/**
 * A command, exported as `command` by its file in `commands/`. Its name, aliases and summary are in
 * the list (`commands/index.ts`), so that only the command that runs is loaded.
 */
export interface Command {
  /** A short paragraph in addition to the summary. */
  about?: string;
  arguments?: readonly ArgumentSpec[];
  options?: readonly OptionSpec[];
  /** At least one; shown at the end of `--help`. */
  examples: readonly Example[];
  run(context: Context): Promise<ExitCode>;
}

export interface ListedCommand {
  name: string;
  aliases?: readonly string[];
  /** One line, no full stop. */
  summary: string;
  load: () => Promise<{ command: Command }>;
}

export interface ArgumentSpec {
  /** As shown in help: `<id>`, `[folder]`, `[ids...]`. */
  name: string;
  about: string;
  choices?: readonly string[];
  /** Suggestions for shell completion; other values are allowed, too. */
  offers?: readonly string[];
}

export interface OptionSpec {
  /** As shown in help: `--all`, `--since <when>`, `-n, --limit <count>`, `--no-pager`. */
  flags: string;
  about: string;
  choices?: readonly string[];
  /** May be given several times; read it with `options.list()`. */
  isRepeatable?: boolean;
  /** Whether shell completion offers files or folders. */
  completes?: "file" | "folder";
}

export interface Example {
  /** The part after `pollux`. */
  line: string;
  about: string;
}

/** What a command works with. */
export interface Context {
  options: Options;
  args: readonly string[];
  /** `--json`: exactly one JSON document goes to `out`, and nothing else. */
  isJson: boolean;
  /** For the answer. */
  out: Writer;
  /** For everything else. */
  err: Writer;
  style: Style;
  /** Whether the answer goes to a terminal. */
  isTerminal: boolean;
  columns: number;
  /** Width for tables; unlimited if the output is not a terminal, so that nothing is cut. */
  tableColumns: number;
  now: Date;
  env: Readonly<Record<string, string | undefined>>;
  /** All commands. */
  commands: readonly ListedCommand[];
  /** The library for the common options. Opened on first use. */
  library(): Promise<Library>;
}
