export const program: string;

/** Why there is no terminal to work on, when there is none. */
export function missing(): string | undefined;

/** Without what is of this minute: the clock in its corner, and how long a search took. */
export function withoutClock(screen: string): string;

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
  /** A new one by default. */
  home?: string;
}

export class Tmux {
  readonly home: string;
  constructor(args: string, options?: TerminalOptions);
  press(...keys: string[]): void;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** The lines as they are seen; with `colours`, also how they are painted. */
  screen(how?: "text" | "colours"): string;
  /** Waits until the screen shows it; says what was there instead. */
  shows(what: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  /** Of the program, not of the shell that it runs in. */
  get pid(): number;
  /** What a program left behind: another screen, a hidden cursor, keys that do not echo. */
  get state(): string;
  end(): void;
}
