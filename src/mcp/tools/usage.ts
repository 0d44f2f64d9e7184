import { z } from "zod";
import { optional } from "../../core/optional.ts";
import { GROUPINGS } from "../../queries/usage/groupings.ts";
import { masked, scopeOf } from "../context.ts";
import { pieceOf } from "../pieces.ts";
import type { Tool } from "../tool.ts";
import { agent, cursor, everywhere, instantsOf, period, tool } from "../tool.ts";

export const usage: Tool = tool({
  name: "usage",
  title: "Tokens and cost",
  about:
    "Returns tokens and cost of coding agents by day, month, model, project, session, " +
    "agent or tool. Costs are in millionths of a US dollar; unknown is null, never 0.",
  input: z.object({
    by: z.enum(GROUPINGS).default("day"),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .default(30)
      .describe("Maximum number of rows in one answer."),
    ...period,
    agent,
    everywhere,
    cursor,
  }),
  async answer(input, context) {
    const { rows, ...report } = await context.library.usage({
      by: [input.by],
      ...scopeOf(context, input),
      ...instantsOf(input, context),
      ...optional("source", input.agent),
    });
    const { items, next } = pieceOf(rows, input.cursor, input.limit);
    return masked(context, { rows: items, total: rows.length, next, ...report });
  },
});
