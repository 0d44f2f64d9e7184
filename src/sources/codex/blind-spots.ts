import type { BlindSpots } from "../../core/blind-spots.ts";

/** What no session file of Codex tells. */
export const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: titles that Codex asks a model for, answers that were interrupted or " +
    "broke off, and up to 0.152 compactions by the API are in no session file.",
  losses: [
    {
      generations: ["0.1.2504–0.1.2505", "0.1.2505–0.31"],
      what: "written by versions before 0.32, which recorded no usage at all: it is unknown.",
    },
  ],
};
