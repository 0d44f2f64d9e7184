import { AGENT_OPTIONS, namedSession } from "../options/agent.ts";
import type { Command } from "../command.ts";
import { ANOTHER, CARRY_OPTIONS, handoverOf, HANDOVER_AGENTS } from "../options/handover.ts";
import { PLACE_OPTIONS, placeOf } from "../options/restore.ts";
import { resumeElsewhere, resumeSession } from "../resume-session.ts";

export const command: Command = {
  about:
    "Prints the command that resumes the session, from any folder; --run runs it. If the agent " +
    "no longer has the session, it is restored first, after confirmation or with --yes.",
  arguments: [
    {
      name: "<id>",
      about: "a session id or unique prefix, or latest",
      offers: ["latest"],
    },
  ],
  options: [
    { flags: "--run", about: "run the command now" },
    { flags: "-y, --yes", about: "if needed, restore without asking" },
    {
      flags: "--in <agent>",
      about: "first hand it over to this agent, as `pollux handover` does",
      choices: HANDOVER_AGENTS,
    },
    ...CARRY_OPTIONS.map((option) => ({ ...option, about: `with --in: ${option.about}` })),
    ...PLACE_OPTIONS,
    ...AGENT_OPTIONS,
  ],
  examples: [
    { line: "resume latest", about: "print the command for the latest session" },
    { line: "resume 55844c5c --run", about: "resume it" },
    { line: "resume 55844c5c --run --yes", about: "resume it, restoring it first if needed" },
    { line: `resume latest --in ${ANOTHER} --run`, about: "resume it in another agent" },
    { line: "resume latest --json", about: "folder and command, as JSON" },
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
