import type { Key } from "./keys.ts";
import { stepOf } from "./keys.ts";

/** Which of a screen's lines are visible. */
export class Scroll {
  #rows = 1;
  #top = 0;

  /** Moves this line to the top. */
  goTo(line: number): void {
    this.#top = line;
  }

  /** The lines that fit; the last line is not above the end of the screen. */
  visible(lines: readonly string[], rows: number): string[] {
    this.#rows = Math.max(1, rows);
    this.#top = Math.max(0, Math.min(this.#top, lines.length - this.#rows));
    return lines.slice(this.#top, this.#top + this.#rows);
  }

  /** Returns whether the key scrolls. */
  press(key: Key): boolean {
    const step = stepOf(key, this.#rows);
    if (step === undefined) return false;
    this.#top = step === Infinity ? Number.MAX_SAFE_INTEGER : Math.max(0, this.#top + step);
    return true;
  }
}
