/** Data that a source never records. */
export interface BlindSpots {
  /** A sentence naming what no session file contains. */
  unrecorded: string;
  /**
   * Recorded data that some format generations lost. `what` completes the phrase "3 sessions …".
   */
  losses: readonly { generations: readonly string[]; what: string }[];
}
