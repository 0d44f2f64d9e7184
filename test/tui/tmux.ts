import { onTestFinished } from "vitest";
import type { TerminalOptions } from "../../scripts/prove-terminal/tmux.mjs";
import { missing, Tmux as Terminal } from "../../scripts/prove-terminal/tmux.mjs";

/** The reason if no terminal is available for tests. */
export const MISSING: string | undefined = missing();

/** The terminal state of a shell: main screen, cursor visible, long lines wrapped. */
export const LEFT = "0 1 1";

/** A real terminal running the built program until the test ends. */
export class Tmux extends Terminal {
  constructor(args: string, options: TerminalOptions = {}) {
    super(args, options);
    onTestFinished(() => this.end());
  }
}
