import type { Command } from "../command.ts";
import { changeOwn, listTags, OWN_OPTIONS, SESSION_ARGUMENT } from "../own-layer.ts";
import { wrongUsage } from "../options/options.ts";

export const command: Command = {
  about:
    "Tags are your own words for sessions and messages. They are kept in the archive, go with it " +
    "when it is exported, and stay when everything is read again. `--tag` of sessions, search and " +
    "usage asks for them.",
  arguments: [SESSION_ARGUMENT, { name: "[tags...]", about: "words to put on it" }],
  options: [
    { flags: "-r, --remove <tag>", about: "take this one away (repeatable)", isRepeatable: true },
    ...OWN_OPTIONS,
  ],
  examples: [
    { line: "tag latest billing later", about: "put two tags on the latest session" },
    { line: "tag 55844c5c --remove later", about: "take one away" },
    { line: "tag", about: "all tags, and how often they are used" },
    { line: "sessions --tag billing", about: "sessions with a tag" },
  ],
  async run(context) {
    const [id, ...addTags] = context.args;
    if (id === undefined) return listTags(context);
    const removeTags = context.options.list("remove");
    if (addTags.length + removeTags.length === 0) {
      throw wrongUsage("Which tags? Give words to put on it, or --remove.");
    }
    return changeOwn(context, [id], { addTags, removeTags });
  },
};
