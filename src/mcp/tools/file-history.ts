import { z } from "zod";
import { masked, scopeOf } from "../context.ts";
import { pieceOf, startOf } from "../pieces.ts";
import type { Tool } from "../tool.ts";
import { cursor, everywhere, tool } from "../tool.ts";

/** More sessions do not fit into one answer. */
const MOST = 30;

export const fileHistory: Tool = tool({
  name: "file_history",
  title: "History of a file",
  about:
    "Lists past sessions that read or changed a file, newest first: when, by which model, with " +
    "which tool and outcome, how many lines, and the prompt that led to it. Use it before you " +
    "change code whose reason you do not know.",
  input: z.object({
    path: z.string().min(1).max(1000).describe("A full path, or the end of one."),
    everywhere,
    cursor,
  }),
  async answer(input, context) {
    const filter = { ...scopeOf(context, input), path: input.path };
    const limit = startOf(input.cursor) + MOST;
    const found = await context.library.review.uses(filter, { limit });
    const rows = found.sessions.map(({ session: { id, source, title, updatedAt }, uses }) => {
      return { session: { id, source, title, updatedAt }, uses };
    });
    const { items, next } = pieceOf(rows, input.cursor);
    return masked(context, { paths: found.paths, sessions: items, total: found.total, next });
  },
});
