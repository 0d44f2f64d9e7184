import { safeText } from "../safe-text.ts";

export interface DiffLine {
  kind: "added" | "removed" | "same" | "place";
  text: string;
  oldLine?: number;
  newLine?: number;
}

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const HEAD = /^(Index: |={10,}$|--- |\+\+\+ |\\ No newline)/;

/** The lines of a unified diff, with their numbers in the old and the new file. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [oldLine, newLine] = [0, 0];
  let isBegun = false;
  for (const raw of diff.split("\n")) {
    const place = PLACE.exec(raw);
    if (place) {
      [oldLine, newLine] = [Number(place[1]), Number(place[2])];
      isBegun = true;
      lines.push({ kind: "place", text: safeText(raw) });
    } else if (isBegun && !raw.startsWith("\\ No newline")) {
      const text = safeText(raw.slice(1));
      if (raw.startsWith("+")) lines.push({ kind: "added", text, newLine: newLine++ });
      else if (raw.startsWith("-")) lines.push({ kind: "removed", text, oldLine: oldLine++ });
      else lines.push({ kind: "same", text, oldLine: oldLine++, newLine: newLine++ });
    } else if (!HEAD.test(raw) && raw !== "") {
      lines.push({ kind: "place", text: safeText(raw) });
    }
  }
  const last = lines.at(-1);
  // The text ends with a newline, which does not start another line.
  if (last?.kind === "same" && last.text === "") lines.pop();
  return lines;
}
