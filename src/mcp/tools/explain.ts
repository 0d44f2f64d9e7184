import { z } from "zod";
import { PolluxError } from "../../core/error.ts";
import { matchesProject } from "../../core/filter/matches.ts";
import type { McpContext } from "../context.ts";
import { masked, scopeOf } from "../context.ts";
import { pieceOf } from "../pieces.ts";
import type { Tool } from "../tool.ts";
import { cursor, everywhere, tool } from "../tool.ts";

export const explain: Tool = tool({
  name: "explain",
  title: "Explain the numbers",
  about:
    "Lists every paid request of a session, a message or a day (2026-11-15, 2026-11), with " +
    "recorded counts, price, file and line. A day covers all projects and needs `everywhere`.",
  input: z.object({
    of: z.string().min(1).max(300).describe("A session, a message, a day, week or month."),
    everywhere,
    cursor,
  }),
  async answer(input, context) {
    const explanation = await context.library.explain(input.of);
    const ids = [...explanation.requests, ...explanation.notCounted].map((row) => row.sessionId);
    await requireScope(context, [...new Set(ids)], input);
    const { items, next } = pieceOf(explanation.requests, input.cursor);
    return masked(context, { ...explanation, requests: items, next });
  },
});

async function requireScope(
  context: McpContext,
  ids: readonly string[],
  asked: { everywhere: boolean },
): Promise<void> {
  const scope = scopeOf(context, asked);
  if (scope.folder === undefined) return;
  const { sessions } = await context.library.sessions(scope);
  const own = new Set(sessions.filter((row) => matchesProject(row, scope)).map(({ id }) => id));
  if (ids.every((id) => own.has(id))) return;
  throw new PolluxError("other-project", "This includes requests of other projects.", {
    remedy: "Use `everywhere` if the user wants numbers of other projects.",
  });
}
