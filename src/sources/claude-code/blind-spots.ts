import type { BlindSpots } from "../../core/files/blind-spots.ts";
import { WITHOUT_FINAL_COUNTS } from "./formats/generation.ts";

/**
 * What Claude Code never records in session files; docs/formats/claude-code.md has the evidence.
 */
export const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: Claude Code does not record titles, compactions, quota checks and retries.",
  losses: [
    {
      generations: [WITHOUT_FINAL_COUNTS],
      what:
        "written by versions 2.1.14 to 2.1.56, which never recorded the final count of an " +
        "answer: the true output may be higher.",
    },
  ],
};
