import type { Style } from "../cli/print/style.ts";
import type { MoneyFormat } from "../cli/print/money.ts";
import type { SessionSummary } from "../core/summary.ts";
import type { Library } from "../library/library.ts";
import type { Key } from "./keys.ts";
import type { Period } from "./periods.ts";
import type { Size } from "./terminal.ts";

/** What all screens speak of. */
export interface HomeScope {
  period: Period;
  /** An agent's id. */
  source?: string;
  /** A part of a project's name or path. */
  project?: string;
}

/** What is left to do on the terminal when the home has closed. */
export type HomeOutcome =
  | { kind: "done" }
  | { kind: "interrupted" }
  | { kind: "resume"; sessionId: string };

/** What a screen is given to work with. */
export interface HomeContext {
  readonly style: Style;
  readonly money: MoneyFormat;
  readonly timezone: string | undefined;
  readonly scope: Readonly<HomeScope>;
  now(): Date;
  library(): Promise<Library>;
  /** Puts another screen over this one. */
  open(screen: Screen): void;
  back(): void;
  /** Another period, agent or project: all screens ask again. */
  setScope(scope: HomeScope): void;
  redraw(): void;
  /** A sentence in the line above the keys, until the next key. */
  say(sentence: string): void;
  copy(text: string): void;
  leave(outcome: HomeOutcome): void;
}

/** One view of the home. It draws itself, and takes the keys that the home leaves to it. */
export interface Screen {
  /** Where one is: `bakery-api`, `Search`. */
  readonly title: string;
  /** The most useful keys, for the last line. */
  readonly hints: readonly Hint[];
  /** Typed characters belong to it: single letters are no commands. */
  readonly isTyping?: boolean;
  /** The session that resume, restore, export and copy are about. */
  readonly session?: SessionSummary | undefined;
  /** Asks for what it shows: at first, and when something has changed. */
  load(): void;
  /** At most so many lines, each at most so wide. */
  draw(size: Size): string[];
  /** Whether the key was its own. */
  press(key: Key): boolean;
}

export type Hint = readonly [key: string, what: string];
