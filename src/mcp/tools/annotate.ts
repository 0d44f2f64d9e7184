import { z } from "zod";
import { optional } from "../../core/optional.ts";
import { readInScope } from "../read-in-scope.ts";
import type { Tool } from "../tool.ts";
import { everywhere, tool } from "../tool.ts";

const tags = z.array(z.string().min(1).max(64)).max(20).optional();

/** The only tool that writes, and only annotations; offered only if the user allows it. */
export const annotate: Tool = tool({
  name: "annotate",
  title: "Tag or note a session",
  about:
    "Adds tags or a note to a past session or one of its messages, so that the user can find it. " +
    "The session itself does not change. A new note replaces the old one.",
  input: z.object({
    session: z.string().min(1).max(300),
    message: z.string().max(300).optional().describe("Id of one message of the session."),
    addTags: tags,
    removeTags: tags,
    note: z.string().max(4000).optional(),
    everywhere,
  }),
  async answer(input, context) {
    const { session } = await readInScope(context, input.session, input);
    return context.library.own.change(
      { sessions: [session.id], ...optional("message", input.message) },
      {
        ...optional("addTags", input.addTags),
        ...optional("removeTags", input.removeTags),
        ...optional("note", input.note),
      },
    );
  },
});
