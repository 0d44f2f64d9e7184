// Runs the built program in a real terminal: sends keys and reads the screen.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const program = join(import.meta.dirname, "..", "..", "dist", "pollux.js");

/** Why the terminal cannot be used; undefined if it can. */
export function missing() {
  if (spawnSync("tmux", ["-V"]).status !== 0) return "there is no tmux";
  return existsSync(program) ? undefined : "the program is not built: npm run build";
}

/** Masks what changes every minute: the clock and the duration of a search. */
export function withoutClock(screen) {
  return screen.replace(/ \d\d:\d\d ?$/m, " ##:##").replace(/, [\d.,]+ m?s$/m, ", # ms");
}

const POLL_MS = 100;
const MOST_POLLS = 300;
let count = 0;

export class Tmux {
  #socket;
  #end = () => this.end();

  constructor(args, { columns = 100, rows = 30, env = {}, home } = {}) {
    count += 1;
    this.#socket = `pollux-${process.pid}-${count}`;
    this.home = home ?? mkdtempSync(join(tmpdir(), "pollux-tui-"));
    const all = { HOME: this.home, PS1: "$ ", TERM: "screen-256color", TZ: "UTC", ...env };
    const set = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    const shell = ["env", "-i", `PATH=${process.env.PATH ?? ""}`, "LANG=C.UTF-8", ...set, "bash"];
    const size = ["-x", String(columns), "-y", String(rows), "-c", this.home];
    // A tmux server does not end with the process that started it.
    process.on("exit", this.#end);
    this.#tmux("-f", "/dev/null", "new-session", "-d", ...size, ...shell, "--norc");
    this.type(`"${process.execPath}" "${program}" ${args}`);
    this.press("Enter");
  }

  press(...keys) {
    this.#tmux("send-keys", ...keys);
  }

  type(text) {
    this.#tmux("send-keys", "-l", text);
  }

  resize(columns, rows) {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** The visible lines; with `colours`, including escape sequences. */
  screen(how = "text") {
    return this.#tmux("capture-pane", "-p", ...(how === "colours" ? ["-e"] : []));
  }

  /** Waits until the screen matches; the error shows the actual screen. */
  async shows(what) {
    const isWanted =
      typeof what === "string"
        ? (text) => text.includes(what)
        : (text) => (what instanceof RegExp ? what.test(text) : what(text));
    for (let turn = 0; turn < MOST_POLLS; turn += 1) {
      const screen = this.screen();
      if (isWanted(screen)) return screen;
      await sleep(POLL_MS);
    }
    throw new Error(`The screen does not show ${String(what)}:\n${this.screen()}`);
  }

  /** The process id of the program, not of its shell. */
  get pid() {
    const shell = this.#tmux("display-message", "-p", "#{pane_pid}").trim();
    const found = spawnSync("pgrep", ["-P", shell], { encoding: "utf8" }).stdout.trim();
    return Number(found.split("\n")[0]);
  }

  /** Terminal flags that a program may leave changed: alternate screen, cursor, line wrapping. */
  get state() {
    const flags = "#{alternate_on} #{cursor_flag} #{wrap_flag}";
    return this.#tmux("display-message", "-p", flags).trim();
  }

  end() {
    process.off("exit", this.#end);
    spawnSync("tmux", ["-L", this.#socket, "kill-server"]);
  }

  #tmux(...args) {
    return execFileSync("tmux", ["-L", this.#socket, ...args], { encoding: "utf8" });
  }
}
