import type { Chain } from "../core/chain.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Digest } from "../core/digest.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { Session } from "../core/session.ts";
import type { FormatName, SessionFile } from "../core/session-file.ts";
import type { FindWish, FoundTexts } from "../core/text.ts";
import type { Home } from "./gather.ts";
import type { RememberWish } from "./recall.ts";
import type { Skimmed } from "./skim-homes.ts";
import type { Summed, SumHow } from "./sum-homes.ts";

/**
 * Where answers come from: straight from the disk, or from the archive. Lists and sums are made
 * from digests; a single session is always read from its bytes again.
 */
export interface Shelf {
  /** Where the sessions lie. */
  readonly homes: readonly Home[];
  /** One digest per session, linked: no reply is counted in two of them. */
  digests(): readonly Digest[];
  digest(id: string): Digest | undefined;
  /** What tells the cost of all sessions sooner than all else is known; see `Skimmed`. */
  unkept?(): Unkept | undefined;
  chains(): readonly Chain[];
  /** One session in full. */
  read(id: string): Session | undefined;
  /**
   * A text about each session, or about each run of them, worked out once and remembered until one
   * changes. Nothing, when it depends on other sessions, too, or when nothing can be remembered.
   */
  remembered?(wish: RememberWish): string[] | undefined;
  /** What was answered before to the same question, when nothing has changed since. */
  recall<T>(question: string): Recalled<T>;
  /** Text in sessions, the best first. */
  find(wish: FindWish): FoundTexts;
  savedChats(): readonly SavedChat[];
  promptLogs(): readonly PromptLog[];
  /** How many session files there are, and from how many something was read. */
  counts(): { files: number; read: number };
  /** Every session file that was found, and how it turned out to be written. */
  files(): readonly ReadFile[];
  diagnostics(): readonly Diagnostic[];
  /** Lets go of what was read; it is read again when it is asked for. */
  reset(): void;
}

/** What can be told while nothing is kept yet. */
export interface Unkept {
  skim(): Promise<Skimmed | undefined>;
  sum(how: () => Promise<SumHow>): Promise<Summed | undefined>;
}

export interface Recalled<T> {
  known?: T;
  /** Remembers an answer, where that can be done, and gives it back. */
  keep: (answer: T) => T;
}

export interface ReadFile {
  file: SessionFile;
  format: FormatName;
  generation: string;
  /** Something of a session came out of it. */
  isRead: boolean;
}
