/** End of support of each Node release line, from its release schedule. */
const SUPPORTED_UNTIL: Readonly<Record<number, string>> = {
  20: "2026-04-30",
  21: "2024-06-01",
  22: "2027-04-30",
  23: "2025-06-01",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};

/** A warning if this version of Node gets no more security fixes. */
export function nodeNote(version: string, now: Date): string | undefined {
  const until = SUPPORTED_UNTIL[Number(version.split(".", 1)[0])];
  if (until === undefined || now <= new Date(`${until}T23:59:59Z`)) return undefined;
  return `Node ${version} is out of support since ${until}. Pollux runs, but please update Node`;
}
