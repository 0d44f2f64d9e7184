/** The mapping: lossless, as in the draft's scripts, or as in its first description. */
export const PROFILES = ["lossless", "reference", "seed"] as const;
export type Profile = (typeof PROFILES)[number];
