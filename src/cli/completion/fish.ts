import type { CompletionTree, OptionWords } from "./tree.ts";

export function fishScript({ common, commands }: CompletionTree): string {
  const lines = [
    "# fish completion for pollux: pollux completion fish > ~/.config/fish/completions/pollux.fish",
    "complete -c pollux -f",
    ...common.map((option) => optionLine(option)),
  ];
  for (const { names, summary, options, words } of commands) {
    const seen = `__fish_seen_subcommand_from ${names.join(" ")}`;
    for (const name of names) {
      lines.push(`complete -c pollux -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`);
    }
    lines.push(...options.map((option) => optionLine(option, seen)));
    if (words.length > 0)
      lines.push(`complete -c pollux -n ${quoted(seen)} -a ${quoted(words.join(" "))}`);
  }
  return `${lines.join("\n")}\n`;
}

function optionLine(option: OptionWords, condition?: string): string {
  const { long, short, about } = option;
  const when = condition === undefined ? "" : ` -n ${quoted(condition)}`;
  const letter = short === undefined ? "" : ` -s ${short.slice(1)}`;
  const words = `-l ${long.slice(2)}${letter}${value(option)}`;
  return `complete -c pollux${when} ${words} -d ${quoted(about)}`;
}

function value({ takes, choices }: OptionWords): string {
  switch (takes) {
    case "nothing":
      return "";
    case "choice":
      return ` -x -a ${quoted(choices.join(" "))}`;
    case "file":
      return " -r -F";
    case "folder":
      return " -x -a '(__fish_complete_directories)'";
    case "text":
      return " -x";
    default:
      return takes satisfies never;
  }
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
