/** What a source never records. */
export interface BlindSpots {
  /** A sentence: what is in no session file at all. */
  unrecorded: string;
  /** What some generations lost of what they recorded; `what` goes on after "3 sessions". */
  losses: readonly { generations: readonly string[]; what: string }[];
}
