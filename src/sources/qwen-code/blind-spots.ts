import type { BlindSpots } from "../../core/blind-spots.ts";

/** What no session file of Qwen Code tells. */
export const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: guesses of the next prompt, judgements of tool calls and answers that were " +
    "cancelled are in no session file of Qwen Code; its own totals tell some of them.",
  losses: [
    {
      generations: ["0.0.10–0.0.14", "0.1–0.3"],
      what:
        "written by versions up to 0.3, which recorded neither answers without text nor tool " +
        "calls: their true total is higher.",
    },
  ],
};
