import { wrongUsage } from "../../core/error.ts";
import type { Command } from "../command.ts";
import { changeAnnotations, listTags, OWN_OPTIONS, SESSION_ARGUMENT } from "../annotations.ts";

export const command: Command = {
  about:
    "Tags are your own words for sessions and messages. They are stored in the archive, are " +
    "part of its exports, and survive a rebuild. Filter by them with --tag in sessions, search " +
    "and usage.",
  arguments: [SESSION_ARGUMENT, { name: "[tags...]", about: "tags to add" }],
  options: [
    { flags: "-r, --remove <tag>", about: "remove this tag (repeatable)", isRepeatable: true },
    ...OWN_OPTIONS,
  ],
  examples: [
    { line: "tag latest billing later", about: "add two tags to the latest session" },
    { line: "tag 55844c5c --remove later", about: "remove one" },
    { line: "tag", about: "list all tags and how often they are used" },
    { line: "sessions --tag billing", about: "sessions with a tag" },
  ],
  async run(context) {
    const [id, ...addTags] = context.args;
    if (id === undefined) return listTags(context);
    const removeTags = context.options.list("remove");
    if (addTags.length + removeTags.length === 0) {
      throw wrongUsage("Missing tags: give tags to add, or --remove TAG.");
    }
    return changeAnnotations(context, [id], { addTags, removeTags });
  },
};
