import type { FoundHit } from "../answers.ts";
import { safeText } from "../safe-text.ts";

/** A text with the matches highlighted. */
export function Marked({ text, marks }: { text: string; marks: FoundHit["marks"] }) {
  const parts = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(safeText(text.slice(at, start)));
    parts.push(<mark>{safeText(text.slice(start, end))}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {safeText(text.slice(at))}
    </>
  );
}
