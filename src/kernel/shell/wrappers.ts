/**
 * What a command runs: a program by name, or a script in the same or a foreign shell's language.
 */
export type Run =
  | { kind: "name"; name: string }
  | { kind: "script"; text: string }
  | { kind: "foreign"; text: string };

interface Wrapper {
  /** Options that take the next word as their value. */
  valued?: readonly string[];
  /** Number of non-option words before the wrapped command. */
  positional?: number;
}

/** Commands that run another command. Assignments (`CI=1`) may precede it. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["sudo", { valued: ["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D", "-R"] }],
  ["doas", { valued: ["-u", "-C"] }],
  ["env", { valued: ["-u", "-C", "--unset", "--chdir"] }],
  ["timeout", { valued: ["-k", "-s", "--kill-after", "--signal"], positional: 1 }],
  ["gtimeout", { valued: ["-k", "-s", "--kill-after", "--signal"], positional: 1 }],
  ["nice", { valued: ["-n", "--adjustment"] }],
  ["ionice", { valued: ["-c", "-n", "-p", "--class", "--classdata"] }],
  ["nohup", {}],
  ["setsid", {}],
  ["stdbuf", { valued: ["-i", "-o", "-e"] }],
  ["time", { valued: ["-f", "-o"] }],
  ["builtin", {}],
  ["exec", { valued: ["-a"] }],
  ["xargs", { valued: ["-I", "-i", "-n", "-P", "-L", "-d", "-a", "-E", "-s"] }],
  ["watch", { valued: ["-n", "--interval"] }],
  ["strace", { valued: ["-o", "-e", "-p", "-s"] }],
  ["chroot", { positional: 1 }],
  ["flock", { valued: ["-w", "-E"], positional: 1 }],
  ["caffeinate", { valued: ["-t", "-w"] }],
  ["unbuffer", {}],
  ["chronic", {}],
]);

const SHELLS = new Set(["bash", "sh", "zsh", "dash", "ksh", "ash", "fish"]);
const POWERSHELLS = new Set(["powershell", "pwsh"]);
const MAX_WRAPPERS = 12;

/** Returns what a command runs. `fed` is the input that a shell would read as its script. */
export function unwrap(words: readonly string[], fed?: string): Run[] {
  let rest = words;
  for (let wrappers = 0; wrappers < MAX_WRAPPERS; wrappers += 1) {
    const name = nameOf(rest[0] ?? "");
    const inner = innerOf(name, rest);
    if (inner === undefined || inner.length === 0) return runOf(name, rest, fed);
    rest = inner;
  }
  return [];
}

function innerOf(name: string, words: readonly string[]): readonly string[] | undefined {
  // `command -v git` only looks the command up.
  if (name === "command") return words[1]?.startsWith("-") === true ? undefined : words.slice(1);
  const wrapper = WRAPPERS.get(name);
  return wrapper && afterOptions(words.slice(1), wrapper);
}

function afterOptions(words: readonly string[], wrapper: Wrapper): readonly string[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (wrapper.valued?.includes(word) === true) at += 1;
    else if (!word.startsWith("-") && !isAssignment(word)) break;
  }
  let left = wrapper.positional ?? 0;
  while (at < words.length && (left > 0 || isAssignment(words[at] ?? ""))) {
    if (!isAssignment(words[at] ?? "")) left -= 1;
    at += 1;
  }
  return words.slice(at);
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}

function runOf(name: string, words: readonly string[], fed: string | undefined): Run[] {
  if (name === "eval") return [{ kind: "script", text: words.slice(1).join(" ") }];
  if (SHELLS.has(name) || name === "su") return shellRun(name, words, fed);
  if (POWERSHELLS.has(name)) return foreignRun(name, words, /^-c(ommand)?$/i);
  if (name === "cmd") return foreignRun(name, words, /^\/[ck]$/i);
  // A name computed at run time; the commands that compute it are reported separately.
  const own: Run[] = /^(\$\(|`|<\()/.test(words[0] ?? "") ? [] : [{ kind: "name", name }];
  return name === "find" ? [...own, ...executed(words)] : own;
}

/** `bash -c script`, `bash -lc script`, `su user -c script`. */
function shellRun(name: string, words: readonly string[], fed: string | undefined): Run[] {
  const option = words.findIndex((word, at) => at > 0 && /^-[a-z]*c$/.test(word));
  const script = option === -1 ? undefined : words[option + 1];
  if (script !== undefined) return [{ kind: "script", text: script }];
  const isFed = fed !== undefined && words.slice(1).every((word) => word.startsWith("-"));
  return isFed ? [{ kind: "script", text: fed }] : [{ kind: "name", name }];
}

function foreignRun(name: string, words: readonly string[], option: RegExp): Run[] {
  const at = words.findIndex((word) => option.test(word));
  const text = at === -1 ? "" : words.slice(at + 1).join(" ");
  return text === "" ? [{ kind: "name", name }] : [{ kind: "foreign", text }];
}

/** `find . -exec grep -l x {} ;` also runs grep. */
function executed(words: readonly string[]): Run[] {
  return words.flatMap((word, at) => {
    if (!/^-(exec|execdir|ok|okdir)$/.test(word)) return [];
    const after = words.slice(at + 1);
    const end = after.findIndex((argument) => argument === ";" || argument === "+");
    return unwrap(end === -1 ? after : after.slice(0, end));
  });
}

/** `/usr/bin/git` and `git.exe` are `git`. */
function nameOf(word: string): string {
  if (word.startsWith("$")) return word;
  const name = word.slice(word.lastIndexOf("/") + 1) || word;
  return name.replace(/\.exe$/i, "");
}
