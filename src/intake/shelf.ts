import type { PromptLog } from "../model/prompt-log.ts";
import type { SavedChat } from "../model/saved-chat.ts";
import type { Session } from "../model/session.ts";
import type { ToolFact } from "../model/tool-fact.ts";
import type { UsageFact } from "../model/usage-fact.ts";

/**
 * Where answers come from: straight from the disk, or from the archive. Lists and sums are made
 * from rows; a single session is always read from its bytes again.
 */
export interface Shelf {
  /** Every session without its bulk: enough for lists, status and doctor. */
  outlines(): Session[];
  /** One session in full. */
  read(id: string): Session | undefined;
  /** One fact per paid reply, over all sessions; none twice. */
  usageFacts(): UsageFact[];
  toolFacts(): ToolFact[];
  savedChats(): SavedChat[];
  promptLogs(): PromptLog[];
}
