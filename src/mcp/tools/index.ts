import type { Tool } from "../tool.ts";
import { explain } from "./explain.ts";
import { read } from "./read.ts";
import { search } from "./search.ts";
import { sessions } from "./sessions.ts";
import { usage } from "./usage.ts";

/** Every tool, in the order in which agents see them. One file in this folder each. */
export const tools: readonly Tool[] = [search, sessions, read, usage, explain];
