import { z } from "zod";
import { optional } from "../../core/optional.ts";
import { masked, scopeOf } from "../context.ts";
import { pieceOf, startOf } from "../pieces.ts";
import type { Tool } from "../tool.ts";
import { agent, cursor, everywhere, instantsOf, period, tool } from "../tool.ts";

/** More sessions do not fit into one answer. */
const MOST = 100;

export const sessions: Tool = tool({
  name: "sessions",
  title: "List past sessions",
  about:
    "Lists past sessions of coding agents, newest first, with title, project, time, status, " +
    "models and tokens. Give an id to `read`.",
  input: z.object({
    ...period,
    agent,
    model: z.string().max(80).optional().describe("Part of a model's name."),
    everywhere,
    cursor,
  }),
  async answer(input, context) {
    const list = await context.library.sessions({
      ...scopeOf(context, input),
      ...instantsOf(input, context),
      ...optional("source", input.agent),
      ...optional("model", input.model),
      // More than one piece can hold, so that `next` is set if anything follows.
      limit: startOf(input.cursor) + MOST,
    });
    const rows = list.sessions.map(({ files: _files, ...summary }) => summary);
    const { items, next } = pieceOf(rows, input.cursor);
    return masked(context, { sessions: items, total: list.total, next });
  },
});
