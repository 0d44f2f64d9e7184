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
    "Puts tags or a note on a past session or one of its messages, for the person to find again. " +
    "The session itself does not change. A note takes the place of the one before.",
  input: z.object({
    session: z.string().min(1).max(300),
    message: z.string().max(300).optional().describe("One message of it."),
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
