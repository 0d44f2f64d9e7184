import type { Library } from "../library/library.ts";
import type { ExitCode } from "./exit.ts";
import type { Options } from "./options/options.ts";
import type { Style } from "./print/style.ts";
import type { Writer } from "./print/writer.ts";

/**
 * One command: what its file in `commands/` exports as `command`. Its name, other names and
 * summary stand in the list (`commands/index.ts`), so that nothing is loaded that is not run.
 */
export interface Command {
  /** More than the summary says; a short paragraph. */
  about?: string;
  arguments?: readonly ArgumentSpec[];
  options?: readonly OptionSpec[];
  /** At least one; they end every `--help`. */
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
  /** As in help: `<id>`, `[folder]`, `[ids...]`. */
  name: string;
  about: string;
  choices?: readonly string[];
  /** Words that a shell offers; others are as good. */
  offers?: readonly string[];
}

export interface OptionSpec {
  /** As in help: `--all`, `--since <when>`, `-n, --limit <count>`, `--no-pager`. */
  flags: string;
  about: string;
  choices?: readonly string[];
  /** May be given several times; read it with `options.list()`. */
  isRepeatable?: boolean;
  /** What a shell offers after it: files or folders. */
  completes?: "file" | "folder";
}

export interface Example {
  /** After `pollux`. */
  line: string;
  about: string;
}

/** What a command is given to work with. */
export interface Context {
  options: Options;
  args: readonly string[];
  /** `--json`: exactly one JSON document goes to `out`, and nothing else. */
  isJson: boolean;
  /** Answers. */
  out: Writer;
  /** Everything that is not the answer. */
  err: Writer;
  style: Style;
  /** Answers are read by a person on a terminal. */
  isTerminal: boolean;
  columns: number;
  /** For tables: as wide as they need where nobody looks at lines, so that nothing is cut. */
  tableColumns: number;
  now: Date;
  env: Readonly<Record<string, string | undefined>>;
  /** All commands there are. */
  commands: readonly ListedCommand[];
  /** The sessions that the common options ask for. Opened when first asked. */
  library(): Promise<Library>;
}
