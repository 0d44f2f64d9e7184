import type { Key } from "./keys.ts";
import { stepOf } from "./keys.ts";
import type { Hint, HomeContext, Screen } from "./screen.ts";
import type { Size } from "./terminal.ts";

/** Which of a screen's lines are visible. */
class Scroll {
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

/** A screen of lines that can be scrolled, and are not loaded again. */
export abstract class ScrolledScreen implements Screen {
  abstract readonly title: string;
  abstract readonly hints: readonly Hint[];
  protected readonly home: HomeContext;
  protected readonly scroll: Scroll = new Scroll();

  constructor(home: HomeContext) {
    this.home = home;
  }

  load(): void {
    // Nothing changes while the screen is open.
  }

  abstract draw(size: Size): string[];

  press(key: Key): boolean {
    const isScrolled = this.scroll.press(key);
    if (isScrolled) this.home.redraw();
    return isScrolled;
  }
}
