import type { Diagnostic } from "../../core/files/diagnostic.ts";
import { diagnosticAt } from "../../core/files/diagnostic.ts";
import type { UsageFact, UsageOddity } from "../../core/usage/usage-fact.ts";

const ODDITIES: Readonly<Record<UsageOddity, string>> = {
  remainder: "The total is larger than its parts; the rest is counted as output.",
  "input-from-total": "No usable prompt count was recorded; it is taken from the total.",
  "thoughts-in-output": "The total shows that the thoughts are a part of the output.",
  "tool-in-input": "The total shows that the tool-use prompt is a part of the input.",
  "cached-beside-input": "The total shows that the cached part is not a part of the input.",
  "cached-above-input": "More cached tokens than prompt tokens; the excess is ignored.",
  "thoughts-above-output": "More thought tokens than output tokens; the excess is ignored.",
  "total-below-parts": "The total is smaller than its parts; the parts are counted.",
  "total-missing": "No total was recorded; the sum of its parts is used.",
  "total-zero": "A total of 0 was recorded; the sum of its parts is used.",
  "part-missing": "Some parts were not recorded; they are counted as 0.",
  implausible: "More tokens than any model accepts in one request; counted as recorded.",
};

export function oddDiagnostics(fact: UsageFact): Diagnostic[] {
  return (fact.oddities ?? []).map((oddity) => {
    const severity = oddity === "part-missing" || oddity === "implausible" ? "notice" : "repair";
    const message = `Token counts of ${fact.messageId}: ${ODDITIES[oddity]}`;
    return diagnosticAt(fact.place, { code: "odd-tokens", severity, message });
  });
}

/** Ids made by hand may occur in many sessions. */
export function sharedDiagnostic({ messageId, place }: UsageFact): Diagnostic {
  const message =
    `Another session has a reply with the same id ${messageId}, but another time or model: ` +
    "both are counted.";
  return diagnosticAt(place, { code: "shared-id", severity: "notice", message });
}

/** A reply is counted once, with the counts of the session that recorded it first. */
export function unequalDiagnostic({ messageId, place }: UsageFact): Diagnostic {
  const message =
    `Another session recorded the reply ${messageId} first, with different token counts: ` +
    "those are counted, these are not.";
  return diagnosticAt(place, { code: "unequal-copy", severity: "notice", message });
}

export function oddityText(oddity: UsageOddity): string {
  return ODDITIES[oddity];
}
