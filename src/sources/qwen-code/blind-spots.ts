import type { BlindSpots } from "../../core/files/blind-spots.ts";

/** What Qwen Code never records in session files. */
export const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: Qwen Code does not record suggestions, judgements and cancelled answers.",
  losses: [
    {
      generations: ["0.0.10–0.0.14", "0.1–0.3"],
      what:
        "written by versions up to 0.3, which recorded neither answers without text nor tool " +
        "calls: their true total is higher.",
    },
  ],
};
