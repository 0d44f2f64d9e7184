import type { ConversationItem } from "../../src/core/session/conversation.ts";
import type { Source } from "../../src/sources/source.ts";

export const AGENTS: Readonly<Record<string, string>>;
export const RECORDED: Readonly<Record<string, readonly string[]>>;
export const MADE: Readonly<Record<string, readonly ConversationItem[]>>;
export const STORIES: readonly string[];
export interface ToldStory {
  name: string;
  story: string;
  options: { tools?: "native" | "as-text"; fitTokens?: number };
}
export function storiesOf(from: string, to: string): ToldStory[];
export function writeMade(
  story: string,
  place: { source: Source; folder: string; nowMs: number },
): string;
export function digestOf(text: string, nowMs: number): string;
