/** A secret that was found in a text. */
export interface FoundSecret {
  /** `google-api-key`, `jwt`, … */
  kind: string;
  value: string;
  /** Where it begins in the text. */
  start: number;
}

/** Finds secrets; throws when it cannot look, so that nobody takes "not looked" for "none". */
export interface Scanner {
  scan(text: string): Promise<FoundSecret[]>;
}

/**
 * Stands between texts that are looked at together: no secret contains it, so none is found that
 * begins in one text and ends in another.
 */
export const TEXT_BORDER = "\n\u0000\n";
