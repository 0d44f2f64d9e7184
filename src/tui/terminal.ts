import type { Interface, Key as RawKey } from "node:readline";
import { emitKeypressEvents } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import type { Key } from "./keys.ts";
import { keyOf } from "./keys.ts";

export interface Size {
  columns: number;
  rows: number;
}

export interface TerminalEvents {
  key(key: Key): void;
  /** Everything must be repainted: after a resize or after resuming. */
  repaint(): void;
  /** The input has ended. */
  ended(): void;
}

/** Alternate screen, cursor hidden, no line wrapping, bracketed paste. */
const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J";
const LEAVE = "\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?25h\x1b[?1049l";
/** Synchronised output: terminals that support it show a frame at once. */
const BEGIN_FRAME = "\x1b[?2026h";
const END_FRAME = "\x1b[?2026l";

/** Long enough for an escape sequence over a slow line, short enough for the Escape key. */
const ESCAPE_MS = 60;

const ENDING = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/**
 * The terminal while the home screen is open. It is restored however the program ends: by a key, a
 * signal, an internal error, or a suspend (Ctrl-Z).
 */
export class Terminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #events: TerminalEvents;
  #painted: string[] = [];
  #isOpen = false;
  #isPasting = false;

  constructor(streams: { input: ReadStream; output: WriteStream }, events: TerminalEvents) {
    this.#input = streams.input;
    this.#output = streams.output;
    this.#events = events;
  }

  get size(): Size {
    const { columns, rows } = this.#output;
    // Some terminals report a size of 0 while they start.
    return { columns: columns || 80, rows: rows || 24 };
  }

  open(): void {
    // Only the timeout for escape sequences is needed from the interface.
    emitKeypressEvents(this.#input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
    this.#input.on("keypress", this.#pressed);
    this.#input.on("end", this.#gone);
    this.#output.on("resize", this.#resized);
    for (const signal of ENDING) process.on(signal, this.#stopped);
    process.on("exit", this.#leave);
    process.on("uncaughtExceptionMonitor", this.#leave);
    if (process.platform !== "win32") {
      process.on("SIGTSTP", this.#pause);
      process.on("SIGCONT", this.#resume);
    }
    this.#enter();
  }

  /** Restores the terminal. */
  close(): void {
    this.#leave();
    this.#input.off("keypress", this.#pressed);
    this.#input.off("end", this.#gone);
    this.#output.off("resize", this.#resized);
    for (const signal of ENDING) process.off(signal, this.#stopped);
    process.off("exit", this.#leave);
    process.off("uncaughtExceptionMonitor", this.#leave);
    process.off("SIGTSTP", this.#pause);
    process.off("SIGCONT", this.#resume);
    this.#input.pause();
  }

  /** Writes the lines that have changed. */
  paint(lines: readonly string[]): void {
    if (!this.#isOpen) return;
    const { rows } = this.size;
    let text = "";
    for (let row = 0; row < rows; row += 1) {
      const line = lines[row] ?? "";
      if (this.#painted[row] === line) continue;
      this.#painted[row] = line;
      // Clear first: after a full line, the cursor is still on the last character.
      text += `\x1b[${row + 1};1H\x1b[K${line}\x1b[0m`;
    }
    if (text !== "") this.#output.write(`${BEGIN_FRAME}${text}${END_FRAME}`);
  }

  /** Repaints the whole screen. */
  repaint(): void {
    this.#resized();
  }

  /** Copies to the clipboard, if the terminal allows it (OSC 52). */
  copy(text: string): void {
    this.#output.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
  }

  /** Ctrl-Z: returns to the shell until `fg`. */
  suspend(): void {
    if (process.platform === "win32") return;
    this.#leave();
    process.off("SIGTSTP", this.#pause);
    // Signal the whole job, as the terminal would: npm may be between the shell and us.
    process.kill(0, "SIGTSTP");
  }

  readonly #enter = (): void => {
    this.#isOpen = true;
    this.#painted = [];
    this.#input.setRawMode(true);
    this.#input.resume();
    this.#output.write(ENTER);
  };

  readonly #leave = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#output.write(LEAVE);
    this.#input.setRawMode(false);
  };

  readonly #pressed = (text: string | undefined, raw: RawKey): void => {
    if (raw.name === "paste-start") this.#isPasting = true;
    else if (raw.name === "paste-end") this.#isPasting = false;
    else {
      const key = keyOf(text, raw);
      // Pasted text is only text: a newline in it must not act as a key.
      if (!this.#isPasting || key.text !== "") this.#events.key(key);
    }
  };

  readonly #gone = (): void => this.#events.ended();

  readonly #resized = (): void => {
    this.#painted = [];
    if (this.#isOpen) this.#output.write("\x1b[2J");
    this.#events.repaint();
  };

  /** Restores the terminal, then lets the signal take its normal effect. */
  readonly #stopped = (signal: NodeJS.Signals): void => {
    this.close();
    process.kill(process.pid, signal);
  };

  readonly #pause = (): void => this.suspend();

  readonly #resume = (): void => {
    if (this.#isOpen) return;
    process.off("SIGTSTP", this.#pause);
    process.on("SIGTSTP", this.#pause);
    this.#enter();
    this.#events.repaint();
  };
}
