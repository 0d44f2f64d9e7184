/** The changes that a tool call made to one file, in order. */
export interface FileEdit {
  path: string;
  parts: EditedPart[];
}

export interface EditedPart {
  /** Whether `before` and `after` are the whole file or a part of it. */
  extent: "whole" | "part";
  /** The replaced text; absent if not recorded. */
  before?: string;
  after: string;
  /** How often the replaced part occurred: a number (usually once), or any number of times. */
  times?: number | "all";
}

/** `mixed`: the user edited the model's proposal before it was written. */
export type Authorship = "ai" | "mixed";

/** The hunks of a unified diff, including their context lines; all lines end with a line feed. */
export function diffHunks(diff: string): EditedPart[] {
  const parts: EditedPart[] = [];
  let hunk: { before: string[]; after: string[] } | undefined;
  const end = (): void => {
    if (!hunk) return;
    const [before, after] = [hunk.before.join(""), hunk.after.join("")];
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
  const text = `${line.slice(1)}\n`;
  if (line.startsWith("+")) hunk.after.push(text);
  else if (line.startsWith("-")) hunk.before.push(text);
  else if (line.startsWith(" ")) {
    hunk.before.push(text);
    hunk.after.push(text);
  }
}
