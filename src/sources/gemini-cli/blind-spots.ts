import type { BlindSpots } from "../../core/files/blind-spots.ts";

/** Data that no Gemini CLI session file contains; docs/ledger.md has the evidence by version. */
export const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: Gemini CLI does not record compressions, titles, routing, discarded answers.",
  losses: [
    {
      // 0.31 does the same, but its documents are indistinguishable from those of later versions.
      generations: ["0.4–0.27", "0.9–0.27", "0.18–0.27", "0.28–0.30"],
      what:
        "written by versions up to 0.31, which did not record the usage of replies that only " +
        "called tools: their true total is higher.",
    },
  ],
};
