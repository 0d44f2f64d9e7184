import { AGENT_OPTIONS, namedSession } from "../options/agent.ts";
import type { Command } from "../command.ts";
import { EXTRAS_OPTION, extrasOf } from "../options/events.ts";
import { EXIT } from "../exit.ts";
import { jsonLine } from "../print/json.ts";

export const command: Command = {
  about:
    "One JSON object per line: session_start, user_prompt, tool_use, tool_result, session_end, " +
    "in the order of time. Times that were never recorded are derived, and marked so.",
  arguments: [
    {
      name: "<id>",
      about: "a session's id, a beginning of it, or latest; a saved chat's id or tag",
      offers: ["latest"],
    },
  ],
  options: [
    EXTRAS_OPTION,
    { flags: "--live", about: "without what was rewound or rewritten" },
    ...AGENT_OPTIONS,
  ],
  examples: [
    { line: "events latest", about: "what happened in the latest session" },
    { line: "events latest --with text,thoughts,usage", about: "with what the model said" },
    { line: "events 復習 > chat.jsonl", about: "a chat that was saved by this tag" },
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
