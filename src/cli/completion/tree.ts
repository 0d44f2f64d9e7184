import { optional } from "../../core/optional.ts";
import type { ListedCommand, OptionSpec } from "../command.ts";
import { COMMON_OPTIONS } from "../options/every-command.ts";

/** Everything that can be typed, as far as it is known before it is typed. */
export interface CompletionTree {
  common: readonly OptionWords[];
  commands: readonly CommandWords[];
}

export interface CommandWords {
  /** Its name, and its other names. */
  names: readonly string[];
  summary: string;
  options: readonly OptionWords[];
  /** What may stand as an argument. */
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

/** `-n, --limit <count>` → its words. */
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

/** `--limit`, and `-n` where there is one. */
export function flagsOf({ long, short }: OptionWords): string[] {
  return short === undefined ? [long] : [long, short];
}
