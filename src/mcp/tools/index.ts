import type { Tool } from "../tool.ts";
import { annotate } from "./annotate.ts";
import { explain } from "./explain.ts";
import { fileHistory } from "./file-history.ts";
import { read } from "./read.ts";
import { search } from "./search.ts";
import { sessions } from "./sessions.ts";
import { usage } from "./usage.ts";

/** All reading tools, in the order shown to agents; one file each in this folder. */
export const readingTools: readonly Tool[] = [search, sessions, read, fileHistory, usage, explain];

/** Offered only if the user allows writing. */
export const writingTools: readonly Tool[] = [annotate];
