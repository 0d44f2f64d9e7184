import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import { vi } from "vitest";

/** A terminal without a window: tests read what is painted and press keys. */
export class FakeTerminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly #keys = new PassThrough();
  readonly #lines = new Map<number, string>();

  constructor(columns: number, rows: number) {
    const raw = { setRawMode: () => this.input, isTTY: true };
    this.input = Object.assign(this.#keys, raw) as unknown as ReadStream;
    const write = (text: string): boolean => this.#paint(text);
    const screen = Object.assign(new EventEmitter(), { columns, rows, write });
    this.output = screen as unknown as WriteStream;
  }

  press(keys: string): void {
    this.#keys.write(keys);
  }

  get screen(): string {
    const rows = [...this.#lines].toSorted(([a], [b]) => a - b);
    return rows.map(([, line]) => line.trimEnd()).join("\n");
  }

  /** Waits until the screen shows `what`. */
  shows(what: string | RegExp): Promise<string> {
    return vi.waitFor(
      () => {
        const { screen } = this;
        const isShown = typeof what === "string" ? screen.includes(what) : what.test(screen);
        if (!isShown) throw new Error(`The screen does not show ${String(what)}:\n${screen}`);
        return screen;
      },
      { timeout: 20_000, interval: 10 },
    );
  }

  /** Every line is painted as a whole, from its first column. */
  #paint(text: string): boolean {
    for (const [, row, line = ""] of text.matchAll(
      /\x1b\[(\d+);1H\x1b\[K([^]*?)\x1b\[0m(?=\x1b)/g,
    )) {
      this.#lines.set(Number(row), stripVTControlCharacters(line));
    }
    return true;
  }
}
