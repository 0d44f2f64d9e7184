/**
 * Handles lines for cmd or PowerShell. Without a parser for them, lines are only split where
 * commands can begin, and the first word of each piece is the command. Doubtful pieces are left
 * out.
 */

const CMDLET =
  "(?:Get|Set|New|Remove|Select|Where|ForEach|Write|Test|Start|Stop|Copy|Move|Out|" +
  "Invoke|Import|Export|Convert\\w*|Add|Clear|Compare|Expand|Compress|Format|Group|Join|Measure|" +
  "Push|Pop|Read|Rename|Resolve|Restart|Sort|Split|Tee|Update|Wait)-[A-Z]\\w+";
const MARKS: readonly RegExp[] = [
  new RegExp(`(?:^[^\\S\\n]*|[|;&({=]\\s*)${CMDLET}\\b`, "m"),
  /\$env:\w/i,
  /%\w{3,}%/,
  /(?:^|[\s"'=&|])[A-Za-z]:\\\w/,
  /(?:^|[|&;]\s*)\.{1,2}\\\w/,
];

export function isForeignShell(line: string): boolean {
  return MARKS.some((mark) => mark.test(line));
}

/** Words in the position of a command that are not commands. */
const NO_COMMANDS = new Set(
  (
    "if else elseif for foreach while do until switch try catch finally function param return in " +
    "begin process end not exist defined errorlevel rem equ neq lss leq gtr geq throw break"
  ).split(" "),
);

export function foreignCommands(line: string): string[] {
  return pieces(line).flatMap((piece) => {
    // `$x = Get-Item .` runs the command after the equals sign.
    const [word = ""] = /^"[^"]*"|^'[^']*'|^\S+/.exec(piece.replace(/^\$[\w:.]+\s*=\s*/, "")) ?? [];
    const path = word.replace(/^["']|["']$/g, "").replace(/^@/, "");
    const name = path.slice(Math.max(path.lastIndexOf("\\"), path.lastIndexOf("/")) + 1);
    const plain = name.replace(/\.(exe|cmd|bat|com|ps1)$/i, "");
    const isName = /^[A-Za-z_][\w.+-]*$/.test(plain) && !NO_COMMANDS.has(plain.toLowerCase());
    return isName ? [plain] : [];
  });
}

/** Splits at separators, line ends and brackets, but not inside quotes. */
function pieces(line: string): string[] {
  const found: string[] = [];
  let quote = "";
  let from = 0;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (/[|;&\n\r(){}]/.test(character)) {
      found.push(line.slice(from, at));
      from = at + 1;
    }
  }
  found.push(line.slice(from));
  return found.map((piece) => piece.trim()).filter((piece) => piece !== "");
}
