import { AGENT_OPTIONS, namedSession } from "../options/agent.ts";
import type { Command } from "../command.ts";
import { ANOTHER, CARRY_OPTIONS, handoverOf, TAKERS } from "../options/handover.ts";
import { PLACE_OPTIONS, placeOf } from "../options/restore.ts";
import { resumeElsewhere, resumeSession } from "../resume-session.ts";

export const command: Command = {
  about:
    "Prints the line that goes on with it, from any folder; with --run it is run. A session that " +
    "its agent no longer has is restored first, after a question or with --yes.",
  arguments: [
    {
      name: "<id>",
      about: "an id, an unambiguous beginning of it, or latest",
      offers: ["latest"],
    },
  ],
  options: [
    { flags: "--run", about: "run it here and now" },
    { flags: "-y, --yes", about: "restore without asking, where needed" },
    {
      flags: "--in <agent>",
      about: "hand it over to this agent first, as `pollux handover` does",
      choices: TAKERS,
    },
    ...CARRY_OPTIONS.map((option) => ({ ...option, about: `with --in: ${option.about}` })),
    ...PLACE_OPTIONS,
    ...AGENT_OPTIONS,
  ],
  examples: [
    { line: "resume latest", about: "what to type to go on with the latest session" },
    { line: "resume 55844c5c --run", about: "go on with it" },
    { line: "resume 55844c5c --run --yes", about: "also when it has to be restored first" },
    { line: `resume latest --in ${ANOTHER} --run`, about: "go on in another agent" },
    { line: "resume latest --json", about: "folder and command, for programs" },
  ],
  async run(context) {
    const { options, now } = context;
    const id = namedSession(context);
    const mode = options.has("run") ? "run" : "print";
    const to = options.text("in");
    if (to !== undefined) {
      return resumeElsewhere(context, { id, how: handoverOf(options, to, now), mode });
    }
    return resumeSession(context, { id, place: placeOf(options, now), mode });
  },
};
