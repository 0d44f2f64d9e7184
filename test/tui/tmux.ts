import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../../dist/pollux.js", import.meta.url));

/** Why there is no terminal to test on, when there is none. */
export const MISSING: string | undefined = missing();

function missing(): string | undefined {
  if (spawnSync("tmux", ["-V"]).status !== 0) return "there is no tmux";
  return existsSync(program) ? undefined : "the program is not built: npm run build";
}

/** The state of a terminal that a shell has: no other screen, a cursor, long lines wrapped. */
export const LEFT = "0 1 1";

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
}

let count = 0;

/** A real terminal with the built program in it: keys go in, the screen comes out. */
export class Tmux {
  readonly #socket: string;
  readonly home: string;

  constructor(args: string, { columns = 100, rows = 30, env = {} }: TerminalOptions = {}) {
    count += 1;
    this.#socket = `pollux-test-${process.pid}-${count}`;
    this.home = mkdtempSync(join(tmpdir(), "pollux-tui-"));
    const all = { HOME: this.home, PS1: "$ ", TERM: "screen-256color", TZ: "UTC", ...env };
    const set = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    const shell = ["env", "-i", `PATH=${process.env["PATH"] ?? ""}`, "LANG=C.UTF-8", ...set];
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      "-c",
      this.home,
      ...size,
      ...shell,
      "bash",
      "--norc",
    );
    onTestFinished(() => void spawnSync("tmux", ["-L", this.#socket, "kill-server"]));
    this.type(`"${process.execPath}" "${program}" ${args}`);
    this.press("Enter");
  }

  press(...keys: string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  type(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** The lines as they are seen; with `colours`, also how they are painted. */
  screen(how: "text" | "colours" = "text"): string {
    return this.#tmux("capture-pane", "-p", ...(how === "colours" ? ["-e"] : []));
  }

  /** Waits until the screen shows it; says what was there instead. */
  async shows(what: string | RegExp): Promise<string> {
    const wanted =
      typeof what === "string"
        ? (text: string) => text.includes(what)
        : (text: string) => what.test(text);
    for (let turn = 0; turn < 120; turn += 1) {
      const screen = this.screen();
      if (wanted(screen)) return screen;
      await sleep(100);
    }
    throw new Error(`The screen does not show ${String(what)}:\n${this.screen()}`);
  }

  /** Of the program, not of the shell that it runs in. */
  get pid(): number {
    const shell = this.#tmux("display-message", "-p", "#{pane_pid}").trim();
    const found = spawnSync("pgrep", ["-P", shell], { encoding: "utf8" }).stdout.trim();
    return Number(found.split("\n")[0]);
  }

  /** What a program left behind: another screen, a hidden cursor, keys that do not echo. */
  get state(): string {
    return this.#tmux(
      "display-message",
      "-p",
      "#{alternate_on} #{cursor_flag} #{wrap_flag}",
    ).trim();
  }

  #tmux(...args: string[]): string {
    return execFileSync("tmux", ["-L", this.#socket, ...args], { encoding: "utf8" });
  }
}
