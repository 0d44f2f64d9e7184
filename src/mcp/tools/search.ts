import { z } from "zod";
import { optional } from "../../core/optional.ts";
import { SEARCH_PLACES } from "../../queries/search/search.ts";
import { pieceOf } from "../pieces.ts";
import type { Tool } from "../tool.ts";
import { filterOf, listInput, tool } from "../tool.ts";

/** Limit on hits; a narrower query finds more specific ones. */
const MOST_HITS = 200;

export const search: Tool = tool({
  name: "search",
  title: "Search past sessions",
  about:
    "Finds words in past conversations with coding agents on this machine: prompts, answers, " +
    'thoughts, tool calls and their output. Supports phrases ("two words"), AND, OR, NOT and ' +
    "prefixes (migrat*). Each hit names a session and a message for `read`.",
  input: z.object({
    query: z.string().min(1).max(400),
    in: z
      .array(z.enum(SEARCH_PLACES))
      .max(4)
      .optional()
      .describe("Where to search (default: everywhere)."),
    ...listInput,
  }),
  async answer(input, context) {
    const answer = await context.library.search(input.query, {
      ...optional("in", input.in),
      ...optional("mask", context.mask),
      filter: { ...filterOf(input, context), limit: MOST_HITS },
    });
    const titles = new Map(answer.sessions.map(({ id, title }) => [id, title]));
    const hits = answer.hits.map(({ marks: _marks, rank: _rank, ...hit }) => {
      return { ...hit, title: titles.get(hit.sessionId) ?? null };
    });
    const { items, next } = pieceOf(hits, input.cursor, input.limit);
    return { hits: items, total: answer.total, suggestions: answer.suggestions, next };
  },
});
