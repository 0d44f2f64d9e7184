import type { BlindSpots } from "../core/blind-spots.ts";
import type { Coverage } from "./coverage.ts";
import type { Ledger } from "./ledger.ts";

/** What a report about usage is made from. */
export interface UsageBasis extends Ledger {
  coverage: Coverage;
  /** What sources never record, by their id. */
  blindSpots: ReadonlyMap<string, BlindSpots>;
  /** Requests without any time, when they were counted before. */
  timeless?: number;
}
