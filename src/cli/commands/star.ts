import type { Command } from "../command.ts";
import { changeOwn, listOwn, OWN_OPTIONS } from "../own-layer.ts";

export const command: Command = {
  about: "Stars mark what you want to find again. `pollux sessions --starred` lists the sessions.",
  arguments: [
    {
      name: "[ids...]",
      about: "sessions, by ids or beginnings of them, or latest; without any, all that is starred",
      offers: ["latest"],
    },
  ],
  options: [{ flags: "-r, --remove", about: "take the star away" }, ...OWN_OPTIONS],
  examples: [
    { line: "star latest", about: "star the latest session" },
    { line: "star 55844c5c --remove", about: "take the star away" },
    { line: "star", about: "everything that is starred" },
  ],
  async run(context) {
    const { args, options } = context;
    if (args.length === 0) return listOwn(context, ({ isStarred }) => isStarred);
    return changeOwn(context, args, { isStarred: !options.has("remove") });
  },
};
