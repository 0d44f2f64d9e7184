import { safeText } from "../safe-text.ts";

export interface DiffLine {
  kind: "added" | "removed" | "same" | "place";
  text: string;
  oldLine?: number;
  newLine?: number;
  /** In a combined diff: the index of the step that made the change. */
  step?: number;
}

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const HEAD = /^(Index: |={10,}$|--- |\+\+\+ |\\ No newline)/;

/** The lines of a unified diff, with their numbers in the old and the new file if it has them. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  // Without numbers, a diff locates its places by their content: `@@` alone, or before a heading.
  let at: { old: number; new: number } | undefined;
  let isBegun = false;
  for (const raw of diff.split("\n")) {
    if (raw.startsWith("@@")) {
      const [, before, after] = PLACE.exec(raw) ?? [];
      at = before === undefined ? undefined : { old: Number(before), new: Number(after) };
      isBegun = true;
      lines.push({ kind: "place", text: safeText(raw) });
    } else if (isBegun && !raw.startsWith("\\ No newline")) {
      const kind = raw.startsWith("+") ? "added" : raw.startsWith("-") ? "removed" : "same";
      lines.push({ kind, text: safeText(raw.slice(1)), ...numbersOf(kind, at) });
    } else if (!HEAD.test(raw) && raw !== "") {
      lines.push({ kind: "place", text: safeText(raw) });
    }
  }
  const last = lines.at(-1);
  // The text ends with a newline, which does not start another line.
  if (last?.kind === "same" && last.text === "") lines.pop();
  return lines;
}

/** The numbers of the next line; moves on by one. */
function numbersOf(
  kind: "added" | "removed" | "same",
  at: { old: number; new: number } | undefined,
): Pick<DiffLine, "oldLine" | "newLine"> {
  if (!at) return {};
  return {
    ...(kind === "added" ? {} : { oldLine: at.old++ }),
    ...(kind === "removed" ? {} : { newLine: at.new++ }),
  };
}
