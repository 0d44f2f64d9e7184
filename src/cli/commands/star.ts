import type { Command } from "../command.ts";
import { changeAnnotations, listAnnotations, OWN_OPTIONS } from "../annotations.ts";

export const command: Command = {
  about: "`pollux sessions --starred` lists the starred sessions.",
  arguments: [
    {
      name: "[ids...]",
      about: "session ids or unique prefixes, or latest; without any, list everything starred",
      offers: ["latest"],
    },
  ],
  options: [{ flags: "-r, --remove", about: "remove the star" }, ...OWN_OPTIONS],
  examples: [
    { line: "star latest", about: "star the latest session" },
    { line: "star 55844c5c --remove", about: "remove the star" },
    { line: "star", about: "list everything starred" },
  ],
  async run(context) {
    const { args, options } = context;
    if (args.length === 0) {
      const none = "No stars yet. Add one: `pollux star latest`.";
      return listAnnotations(context, { none, isMeant: ({ isStarred }) => isStarred });
    }
    return changeAnnotations(context, args, { isStarred: !options.has("remove") });
  },
};
