import type { Context } from "./command.ts";
import { safeLine } from "./print/safe.ts";

/** Shells for which a printed line can be written. */
const SHELLS = ["posix", "cmd", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

/** The shell that the user most likely uses. */
export function shellOf(platform: NodeJS.Platform, env: Context["env"]): Shell {
  // Git Bash and similar shells set SHELL on Windows, too.
  if (platform !== "win32" || env["SHELL"] !== undefined) return "posix";
  // cmd sets this variable for its child processes, PowerShell does not.
  return env["PROMPT"] === undefined ? "powershell" : "cmd";
}

/** A line that changes to a folder and, if that succeeds, runs a command there. */
export function shellLine(folder: string, command: readonly string[], shell: Shell): string {
  const run = commandLine(command, shell);
  if (shell === "powershell") {
    return `Set-Location -LiteralPath ${powershellWord(folder)}; if ($?) { ${run} }`;
  }
  if (shell === "cmd") return `cd /d ${cmdWord(folder)} && ${run}`;
  // A folder name may begin with a dash; `--` prevents reading it as an option.
  return `cd ${folder.startsWith("-") ? "-- " : ""}${posixWord(folder)} && ${run}`;
}

export function commandLine(command: readonly string[], shell: Shell): string {
  const words = command.map(WORDS[shell]);
  // PowerShell treats a quoted first word as a string; `&` makes it a command.
  const call = shell === "powershell" && words[0]?.startsWith("'") === true ? "& " : "";
  return call + words.join(" ");
}

const WORDS: Readonly<Record<Shell, (text: string) => string>> = {
  posix: posixWord,
  cmd: cmdWord,
  powershell: powershellWord,
};

const PLAIN_POSIX = /^[A-Za-z0-9_@%+=:,./-]+$/;
const PLAIN_WINDOWS = /^[A-Za-z0-9_:.\\/-]+$/;

function posixWord(text: string): string {
  if (PLAIN_POSIX.test(text)) return text;
  // Escape bytes that a terminal would interpret or hide.
  if (safeLine(text) !== text.trim()) return `$'${[...Buffer.from(text)].map(spelled).join("")}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function spelled(byte: number): string {
  const character = String.fromCharCode(byte);
  return PLAIN_POSIX.test(character) ? character : `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** `%NAME%` is expanded even inside quotes; a caret outside the quotes prevents it. */
function cmdWord(text: string): string {
  if (PLAIN_WINDOWS.test(text)) return text;
  return `"${text.replaceAll('"', '""').replaceAll("%", '"^%"')}"`;
}

function powershellWord(text: string): string {
  return PLAIN_WINDOWS.test(text) ? text : `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
}
