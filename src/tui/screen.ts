import type { Style } from "../cli/print/style.ts";
import type { MoneyFormat } from "../cli/print/money.ts";
import { optional } from "../core/optional.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { Library } from "../library/library.ts";
import type { LongQueries } from "../library/threads/long-questions.ts";
import type { Key } from "./keys.ts";
import type { Period } from "./periods.ts";
import type { Size } from "./terminal.ts";

/** The filters that apply to all screens. */
export interface HomeScope {
  period: Period;
  /** An agent's id. */
  source?: string;
  /** Part of a project's name or path. */
  project?: string;
}

/** The session filter for an agent and a project. */
export function scopeFilter({ source, project }: Pick<HomeScope, "source" | "project">): {
  source?: string;
  project?: string;
  folder?: string;
} {
  return {
    ...optional("source", source),
    ...(project === undefined ? {} : projectFilter(project)),
  };
}

/** A full path selects exactly this project, not every path that contains it. */
export function projectFilter(name: string): { folder: string } | { project: string } {
  return /^(?:[/\\]|[a-z]:[/\\])/i.test(name) ? { folder: name } : { project: name };
}

/** What to do after the home screen has closed. */
export type HomeOutcome =
  | { kind: "done" }
  | { kind: "interrupted" }
  | { kind: "resume"; sessionId: string };

/** What a screen works with. */
export interface HomeContext {
  readonly style: Style;
  readonly money: MoneyFormat;
  readonly timezone: string | undefined;
  readonly scope: Readonly<HomeScope>;
  now(): Date;
  /** Whether lists are still incomplete because sessions are being kept. */
  readonly isGrowing: boolean;
  /** For lists and for single sessions. */
  library(): Promise<Library>;
  /** For usage by time, agent or model; available before sessions can be listed. */
  sums(): Promise<LongQueries>;
  /** For other sums and queries that read every file. */
  questions(): Promise<LongQueries>;
  /** Opens a screen on top of this one. */
  open(screen: Screen): void;
  back(): void;
  /** Changes period, agent or project; all screens reload. */
  setScope(scope: HomeScope): void;
  redraw(): void;
  /** Shows a sentence above the key hints until the next key. */
  say(sentence: string): void;
  copy(text: string): void;
  leave(outcome: HomeOutcome): void;
}

/** A screen. It draws itself and handles the keys that the home screen does not. */
export interface Screen {
  /** Shown in the frame: `bakery-api`, `Search`. */
  readonly title: string;
  /** The most useful keys, for the last line. */
  readonly hints: readonly Hint[];
  /** Whether typed characters go to the screen; then letters are not commands. */
  readonly isTyping?: boolean;
  /** The session for resume, restore, export and copy. */
  readonly session?: SessionSummary | undefined;
  /** Loads its data: at first and after changes. */
  load(): void;
  /** Returns at most `size.rows` lines of at most `size.columns` columns. */
  draw(size: Size): string[];
  /** Returns whether the key was handled. */
  press(key: Key): boolean;
}

export type Hint = readonly [key: string, what: string];
