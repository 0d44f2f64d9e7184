/** Which translation: one that loses nothing, the draft's own, or that of the first description. */
export const PROFILES = ["lossless", "reference", "seed"] as const;
export type Profile = (typeof PROFILES)[number];
