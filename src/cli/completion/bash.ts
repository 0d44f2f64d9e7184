import type { CommandWords, CompletionTree, OptionWords } from "./tree.ts";
import { flagsOf } from "./tree.ts";

/** For bash 3.2 and newer. */
export function bashScript({ common, commands }: CompletionTree): string {
  const names = commands.flatMap((command) => command.names);
  const valued = common.filter(({ takes }) => takes !== "nothing").flatMap(flagsOf);
  return `# bash completion for pollux: eval "$(pollux completion bash)"
_pollux() {
  local cur prev command word words="" flags="" at IFS=$' \\t\\n'
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  if [ "$cur" = "=" ]; then cur=""
  elif [ "$prev" = "=" ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  command=""
  at=1
  while [ "$at" -lt "$COMP_CWORD" ]; do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      ${valued.join(" | ")}) at=$((at + 1)) ;;
      -*) ;;
      *) command="$word"; break ;;
    esac
    at=$((at + 1))
  done
  COMPREPLY=()
  case "$command $prev" in
${common.flatMap((option) => valueCase(["*"], option)).join("\n")}
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$command" in
    "") words="${names.join(" ")}"; flags="${common.flatMap(flagsOf).join(" ")}" ;;
${commands.map((command) => wordsCase(command, common)).join("\n")}
  esac
  # Options are offered when one is begun, or when there is nothing else.
  case "$cur" in -*) words="$flags" ;; esac
  if [ -z "$words" ]; then words="$flags"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _pollux pollux
`;
}

function valueCases({ names, options }: CommandWords): string[] {
  return options.flatMap((option) => valueCase(names, option));
}

function valueCase(names: readonly string[], option: OptionWords): string[] {
  if (option.takes === "nothing") return [];
  const patterns = names.flatMap((name) =>
    flagsOf(option).map((flag) => (name === "*" ? `*" ${flag}"` : `"${name} ${flag}"`)),
  );
  return [`    ${patterns.join(" | ")}) ${valueReply(option)} return ;;`];
}

function valueReply({ takes, choices }: OptionWords): string {
  switch (takes) {
    case "choice":
      return `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$cur"));`;
    case "file":
    case "folder": {
      const kind = takes === "file" ? "-f" : "-d";
      const files = `IFS=$'\\n'; COMPREPLY=($(compgen ${kind} -- "$cur"));`;
      return `${files} compopt -o filenames 2>/dev/null;`;
    }
    case "text":
    case "nothing":
      return "";
    default:
      return takes satisfies never;
  }
}

function wordsCase(command: CommandWords, common: readonly OptionWords[]): string {
  const { names, words, options } = command;
  const flags = [...options, ...common].flatMap(flagsOf);
  return `    ${names.join(" | ")}) words="${words.join(" ")}"; flags="${flags.join(" ")}" ;;`;
}
