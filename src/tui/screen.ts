import type { Style } from "../cli/print/style.ts";
import type { MoneyFormat } from "../cli/print/money.ts";
import { optional } from "../core/optional.ts";
import type { SessionSummary } from "../core/summary.ts";
import type { Library } from "../library/library.ts";
import type { LongQuestions } from "../library/threads/long-questions.ts";
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

/** The sessions that are spoken of, by whose they are. */
export function whoseOf({ source, project }: Pick<HomeScope, "source" | "project">): {
  source?: string;
  project?: string;
  folder?: string;
} {
  return { ...optional("source", source), ...(project === undefined ? {} : ofProject(project)) };
}

/** A whole path means this project alone, and not all whose path has it as a part. */
export function ofProject(name: string): { folder: string } | { project: string } {
  return /^(?:[/\\]|[a-z]:[/\\])/i.test(name) ? { folder: name } : { project: name };
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
  /** Lists hold what is kept so far: more is being kept. */
  readonly isGrowing: boolean;
  /** For lists, and everything about a session. */
  library(): Promise<Library>;
  /** For what was spent, by time, agent or model: known before sessions can be listed. */
  sums(): Promise<LongQuestions>;
  /** For other sums, and what every file has to be looked at for. */
  questions(): Promise<LongQuestions>;
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
