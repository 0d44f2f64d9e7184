import type { CommandWords, CompletionTree, OptionWords } from "./tree.ts";
import { flagsOf } from "./tree.ts";

export function zshScript({ common, commands }: CompletionTree): string {
  const described = commands.flatMap(({ names, summary }) =>
    names.map((name) => quoted(`${name}:${summary.replaceAll(":", "\\:")}`)),
  );
  return `#compdef pollux
# zsh completion for pollux: put it into a file named _pollux in your $fpath,
# or: source <(pollux completion zsh)
_pollux() {
  local curcontext="$curcontext" state line
  local -A opt_args
  local -a names
  _arguments -C \\
${common.map(spec).map(continued).join("\n")}
    '1: :->command' \\
    '*:: :->rest'
  case "$state" in
    command)
      names=(
${described.map((line) => `        ${line}`).join("\n")}
      )
      _describe -t commands 'pollux command' names
      ;;
    rest)
      case "$line[1]" in
${commands.map((command) => commandCase(command, common)).join("\n")}
      esac
      ;;
  esac
}
if [ "$funcstack[1]" = "_pollux" ]; then
  _pollux "$@"
else
  compdef _pollux pollux
fi
`;
}

function commandCase(command: CommandWords, common: readonly OptionWords[]): string {
  const { names, options, words } = command;
  const rest = words.length > 0 ? [quoted(`*: :(${words.join(" ")})`)] : [];
  const specs = [...[...options, ...common].map(spec), ...rest];
  const body = specs.map((item) => `            ${item}`).join(" \\\n");
  return `        ${names.join(" | ")})\n          _arguments \\\n${body}\n          ;;`;
}

function continued(line: string): string {
  return `    ${line} \\`;
}

/** `'(--limit -n)'{--limit,-n}'[at most so many]:count:'` */
function spec(option: OptionWords): string {
  const { takes, choices, about, isRepeatable } = option;
  const flags = flagsOf(option);
  const description = `[${about.replace(/[[\]:\\]/g, "\\$&")}]${valueOf(takes, choices)}`;
  const [only = ""] = flags;
  if (isRepeatable) return flags.map((flag) => quoted(`*${flag}${description}`)).join(" ");
  if (flags.length === 1) return quoted(only + description);
  return `'(${flags.join(" ")})'{${flags.join(",")}}${quoted(description)}`;
}

function valueOf(takes: OptionWords["takes"], choices: readonly string[]): string {
  switch (takes) {
    case "nothing":
      return "";
    case "choice":
      return `:value:(${choices.join(" ")})`;
    case "file":
      return ":file:_files";
    case "folder":
      return ":folder:_files -/";
    case "text":
      return ":value: ";
    default:
      return takes satisfies never;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
