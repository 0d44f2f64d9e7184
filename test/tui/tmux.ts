import { onTestFinished } from "vitest";
import type { TerminalOptions } from "../../scripts/prove-terminal/tmux.mjs";
import { missing, Tmux as Terminal } from "../../scripts/prove-terminal/tmux.mjs";

/** Why there is no terminal to test on, when there is none. */
export const MISSING: string | undefined = missing();

/** The state of a terminal that a shell has: no other screen, a cursor, long lines wrapped. */
export const LEFT = "0 1 1";

/** A real terminal with the built program in it, until the test ends. */
export class Tmux extends Terminal {
  constructor(args: string, options: TerminalOptions = {}) {
    super(args, options);
    onTestFinished(() => this.end());
  }
}
