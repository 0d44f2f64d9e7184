import type { TextRole } from "../core/session/text.ts";

/** Search ranking weights: prompts and answers rank above tool output. */
export const ROLE_WEIGHTS: Readonly<Record<TextRole, number>> = {
  title: 2,
  prompt: 1.6,
  answer: 1.4,
  thought: 1,
  tool: 0.8,
  other: 0.6,
};
