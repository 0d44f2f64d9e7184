/** What a call changed in one file, stretch by stretch, in order. */
export interface FileEdit {
  path: string;
  parts: EditedPart[];
}

export interface EditedPart {
  /** The stretch is the whole file, or stands somewhere in it. */
  extent: "whole" | "part";
  /** What stood there; absent when no record tells. */
  before?: string;
  after: string;
  /** A part that was exchanged wherever it stood. */
  times?: "all";
}

/** Stretches of a unified diff, with the lines around them. */
export function partsOfDiff(diff: string): EditedPart[] {
  const parts: EditedPart[] = [];
  let hunk: { before: string[]; after: string[] } | undefined;
  const end = (): void => {
    if (!hunk) return;
    const [before, after] = [hunk.before.join("\n"), hunk.after.join("\n")];
    if (before !== after) parts.push({ extent: "part", before, after });
  };
  for (const line of diff.split("\n")) {
    if (line.startsWith("@@")) {
      end();
      hunk = { before: [], after: [] };
    } else if (hunk) addLine(hunk, line);
  }
  end();
  return parts;
}

function addLine(hunk: { before: string[]; after: string[] }, line: string): void {
  const text = line.slice(1);
  if (line.startsWith("+")) hunk.after.push(text);
  else if (line.startsWith("-")) hunk.before.push(text);
  else if (line.startsWith(" ")) {
    hunk.before.push(text);
    hunk.after.push(text);
  }
}
