import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { geminiCli } from "./gemini-cli/index.ts";
import { qwenCode } from "./qwen-code/index.ts";
import type { Source } from "./source.ts";

/** All supported agents. */
export const sources: readonly Source[] = [geminiCli, claudeCode, codex, qwenCode];
