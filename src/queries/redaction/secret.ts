/** A secret that was found in a text. */
export interface FoundSecret {
  /** `google-api-key`, `jwt`, … */
  kind: string;
  value: string;
  /** Offset in the text. */
  start: number;
}

/** Finds secrets; throws if it cannot scan, so that "not scanned" is never taken for "none". */
export interface Scanner {
  scan(text: string): Promise<FoundSecret[]>;
}

/**
 * Separates texts that are scanned together: no secret contains it, so no match can span two texts.
 */
export const TEXT_BORDER = "\n\u0000\n";
