import { optional } from "../../core/optional.ts";
import type { ListedCommand, OptionSpec } from "../command.ts";
import { COMMON_OPTIONS } from "../options/every-command.ts";

/** All commands, options and values that can be completed. */
export interface CompletionTree {
  common: readonly OptionWords[];
  commands: readonly CommandWords[];
}

export interface CommandWords {
  /** The name and its aliases. */
  names: readonly string[];
  summary: string;
  options: readonly OptionWords[];
  /** Possible arguments. */
  words: readonly string[];
}

export interface OptionWords {
  long: string;
  short?: string;
  about: string;
  takes: "nothing" | "text" | "file" | "folder" | "choice";
  choices: readonly string[];
  isRepeatable: boolean;
}

const HELP: OptionSpec = { flags: "-h, --help", about: "print help" };

export async function completionTree(listed: readonly ListedCommand[]): Promise<CompletionTree> {
  const commands = await Promise.all(
    listed.map(async ({ name, aliases = [], summary, load }) => {
      const { command } = await load();
      return {
        names: [name, ...aliases],
        summary,
        options: (command.options ?? []).map(wordsOf),
        words: (command.arguments ?? []).flatMap(({ choices, offers }) => choices ?? offers ?? []),
      };
    }),
  );
  return { common: [...COMMON_OPTIONS, HELP].map(wordsOf), commands };
}

/** Parses `-n, --limit <count>`. */
function wordsOf({ flags, about, choices, isRepeatable, completes }: OptionSpec): OptionWords {
  const takesValue = /[<[]/.test(flags);
  const value = choices ? "choice" : (completes ?? "text");
  return {
    long: /--[\w-]+/.exec(flags)?.[0] ?? flags,
    ...optional("short", /(?:^|\s)(-\w)\b/.exec(flags)?.[1]),
    about,
    takes: takesValue ? value : "nothing",
    choices: choices ?? [],
    isRepeatable: isRepeatable === true,
  };
}

/** `--limit`, and `-n` if there is a short form. */
export function flagsOf({ long, short }: OptionWords): string[] {
  return short === undefined ? [long] : [long, short];
}
