import { z } from "zod";
import { optional } from "../../core/optional.ts";
import { GROUPINGS } from "../../queries/groupings.ts";
import { masked, scopeOf } from "../desk.ts";
import type { Tool } from "../tool.ts";
import { agent, everywhere, instantsOf, period, tool } from "../tool.ts";

export const usage: Tool = tool({
  name: "usage",
  title: "Tokens and cost",
  about:
    "Says what coding agents used and what it cost, by day, month, model, project, session, " +
    "agent or tool. Costs are in millionths of a US dollar; unknown is null, never 0.",
  input: z.object({
    by: z.enum(GROUPINGS).default("day"),
    limit: z.number().int().min(1).max(200).default(30),
    ...period,
    agent,
    everywhere,
  }),
  async answer(input, desk) {
    const report = await desk.library.usage({
      by: [input.by],
      limit: input.limit,
      ...scopeOf(desk, input),
      ...instantsOf(input, desk),
      ...optional("source", input.agent),
    });
    return masked(desk, report);
  },
});
