export const program: string;

/** Why the terminal cannot be used; undefined if it can. */
export function missing(): string | undefined;

/** Masks what changes every minute: the clock and the duration of a search. */
export function withoutClock(screen: string): string;

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
  /** Defaults to a new one. */
  home?: string;
}

export class Tmux {
  readonly home: string;
  constructor(args: string, options?: TerminalOptions);
  press(...keys: string[]): void;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** The visible lines; with `colours`, including escape sequences. */
  screen(how?: "text" | "colours"): string;
  /** Waits until the screen matches; the error shows the actual screen. */
  shows(what: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  /** The process id of the program, not of its shell. */
  get pid(): number;
  /** Terminal flags that a program may leave changed: alternate screen, cursor, line wrapping. */
  get state(): string;
  end(): void;
}
