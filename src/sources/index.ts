import { codex } from "./codex/index.ts";
import { geminiCli } from "./gemini-cli/index.ts";
import type { Source } from "./source.ts";

/** Every program whose sessions can be read. */
export const sources: readonly Source[] = [geminiCli, codex];
