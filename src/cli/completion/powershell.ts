import type { CompletionTree, OptionWords } from "./tree.ts";
import { flagsOf } from "./tree.ts";

/** For PowerShell 5.1 and newer. */
export function powershellScript({ common, commands }: CompletionTree): string {
  const top = [
    ...commands.flatMap(({ names, summary }) => names.map((name) => pair(name, summary))),
    ...common.flatMap(pairs),
  ];
  const tables = commands.flatMap(({ names, options, words }) => {
    const offered = [
      ...words.map((word) => pair(word, word)),
      ...[...options, ...common].flatMap(pairs),
    ];
    return names.map((name) => `    ${quoted(name)} = @(${offered.join(", ")})`);
  });
  const values = [
    ...common.flatMap((option) => valueLines(["*"], option)),
    ...commands.flatMap(({ names, options }) => options.flatMap((item) => valueLines(names, item))),
  ];
  return `# PowerShell completion for pollux:
# pollux completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName pollux -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $offers = @{
    '' = @(${top.join(", ")})
${tables.join("\n")}
  }
  $values = @{
${values.join("\n")}
  }
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $command = ''
  for ($at = 0; $at -lt $before.Count; $at++) {
    if ($values.ContainsKey('* ' + $before[$at])) { $at++; continue }
    if (-not $before[$at].StartsWith('-')) { $command = $before[$at]; break }
  }
  $last = if ($before.Count -gt 0) { $before[-1] } else { '' }
  foreach ($key in @(('* ' + $last), ($command + ' ' + $last))) {
    if ($values.ContainsKey($key)) {
      $values[$key] | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
      }
      return
    }
  }
  $offers[$command] | Where-Object { $_ -and $_.Word -like "$wordToComplete*" } | ForEach-Object {
    $word = $_.Word
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $_.About)
  }
}
`;
}

function pairs(option: OptionWords): string[] {
  return flagsOf(option).map((flag) => pair(flag, option.about));
}

function pair(word: string, about: string): string {
  return `@{ Word = ${quoted(word)}; About = ${quoted(about)} }`;
}

/** Returns no values for free text and files, so that PowerShell offers files by itself. */
function valueLines(names: readonly string[], option: OptionWords): string[] {
  if (option.takes === "nothing") return [];
  const choices = option.choices.map(quoted).join(", ");
  return names.flatMap((name) =>
    flagsOf(option).map((flag) => `    ${quoted(`${name} ${flag}`)} = @(${choices})`),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
