import { z } from "zod";
import { masked } from "../context.ts";
import { pieceOf, startOf } from "../pieces.ts";
import type { Tool } from "../tool.ts";
import { filterOf, listInput, tool } from "../tool.ts";

/** More sessions do not fit into one answer. */
const MOST = 100;

export const sessions: Tool = tool({
  name: "sessions",
  title: "List past sessions",
  about:
    "Lists past sessions of coding agents, newest first, with title, project, time, status, " +
    "models and tokens. Pass an id to `read`.",
  input: z.object(listInput),
  async answer(input, context) {
    const list = await context.library.sessions({
      ...filterOf(input, context),
      // More than one piece can hold, so that `next` is set if anything follows.
      limit: startOf(input.cursor) + Math.max(MOST, input.limit ?? 0) + 1,
    });
    const rows = list.sessions.map(({ files: _files, ...summary }) => summary);
    const { items, next } = pieceOf(rows, input.cursor, input.limit);
    return masked(context, { sessions: items, total: list.total, next });
  },
});
