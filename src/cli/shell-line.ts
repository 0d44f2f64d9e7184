import type { Context } from "./command.ts";
import { safeLine } from "./print/safe.ts";

/** Shells that a printed line can be meant for. */
export const SHELLS = ["posix", "cmd", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

/** The shell that will most likely read what is printed. */
export function shellOf(platform: NodeJS.Platform, env: Context["env"]): Shell {
  // Git Bash and its like name themselves on Windows, too.
  if (platform !== "win32" || env["SHELL"] !== undefined) return "posix";
  // The old prompt sets this variable for what it starts, PowerShell does not.
  return env["PROMPT"] === undefined ? "powershell" : "cmd";
}

/** A line that goes to a folder and runs a command there, if there is such a folder. */
export function shellLine(folder: string, command: readonly string[], shell: Shell): string {
  const run = commandLine(command, shell);
  if (shell === "powershell") {
    return `Set-Location -LiteralPath ${powershellWord(folder)}; if ($?) { ${run} }`;
  }
  if (shell === "cmd") return `cd /d ${cmdWord(folder)} && ${run}`;
  // A folder whose name begins with a dash is no option.
  return `cd ${folder.startsWith("-") ? "-- " : ""}${posixWord(folder)} && ${run}`;
}

export function commandLine(command: readonly string[], shell: Shell): string {
  const words = command.map(WORDS[shell]);
  // A quoted first word would be a text, not a command.
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
  // What a terminal would obey or hide is spelled out, byte by byte.
  if (safeLine(text) !== text.trim()) return `$'${[...Buffer.from(text)].map(spelled).join("")}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function spelled(byte: number): string {
  const character = String.fromCharCode(byte);
  return PLAIN_POSIX.test(character) ? character : `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** `%NAME%` is replaced even inside quotes; a lone caret between keeps it as it is. */
function cmdWord(text: string): string {
  if (PLAIN_WINDOWS.test(text)) return text;
  return `"${text.replaceAll('"', '""').replaceAll("%", '"^%"')}"`;
}

function powershellWord(text: string): string {
  return PLAIN_WINDOWS.test(text) ? text : `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
}
