import type { BlindSpots } from "../../core/files/blind-spots.ts";

/** What Codex never records in session files. */
export const blindSpots: BlindSpots = {
  unrecorded:
    "A lower bound: Codex does not record titles, aborted answers and (up to 0.152) compactions.",
  losses: [
    {
      generations: ["0.1.2504–0.1.2505", "0.1.2505–0.31"],
      what: "written by versions before 0.32, which recorded no usage at all: it is unknown.",
      isWhole: true,
    },
  ],
};
