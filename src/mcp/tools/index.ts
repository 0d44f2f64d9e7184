import type { Tool } from "../tool.ts";
import { annotate } from "./annotate.ts";
import { explain } from "./explain.ts";
import { fileHistory } from "./file-history.ts";
import { read } from "./read.ts";
import { search } from "./search.ts";
import { sessions } from "./sessions.ts";
import { usage } from "./usage.ts";

/** Every tool that reads, in the order in which agents see them. One file in this folder each. */
export const readingTools: readonly Tool[] = [search, sessions, read, fileHistory, usage, explain];

/** Offered only when the person allows it. */
export const writingTools: readonly Tool[] = [annotate];
