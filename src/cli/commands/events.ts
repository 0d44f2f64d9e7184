import { AGENT_OPTIONS, namedSession } from "../options/agent.ts";
import type { Command } from "../command.ts";
import { EXTRAS_OPTION, extrasOf } from "../options/events.ts";
import { EXIT } from "../exit.ts";
import { jsonLine } from "../print/json.ts";

export const command: Command = {
  about:
    "Prints session_start, user_prompt, tool_use, tool_result and session_end events in order " +
    "of time. Times that were not recorded are derived and marked as such.",
  arguments: [
    {
      name: "<id>",
      about: "a session id or unique prefix, a saved chat's id or tag, or latest",
      offers: ["latest"],
    },
  ],
  options: [
    EXTRAS_OPTION,
    { flags: "--live", about: "leave out rewound and rewritten messages" },
    ...AGENT_OPTIONS,
  ],
  examples: [
    { line: "events latest", about: "events of the latest session" },
    { line: "events latest --with text,thoughts,usage", about: "with what the model said" },
    { line: "events 復習 > chat.jsonl", about: "a chat saved under this tag" },
  ],
  async run(context) {
    const { options, out } = context;
    const id = namedSession(context);
    const standing = options.has("live") ? "live" : "all";
    const events = (await context.library()).events(id, { with: extrasOf(options), standing });
    for await (const event of events) await out.line(jsonLine(event));
    return EXIT.ok;
  },
};
