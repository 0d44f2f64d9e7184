/** Data that a source never records. */
export interface BlindSpots {
  /** A sentence naming what no session file contains. */
  unrecorded: string;
  /**
   * Recorded data that some format generations lost. `what` completes the phrase "3 sessions …".
   */
  losses: readonly Loss[];
}

interface Loss {
  generations: readonly string[];
  what: string;
  /** No usage was recorded, so that such sessions are in no sum; files are counted instead. */
  isWhole?: true;
}
